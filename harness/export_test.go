package harness

// PanickingHook gives a hook whose decision panics.
func PanickingHook() Hook { return Hook{testOnlyPanic: true} }

// SetFault lets a test make a step of Apply fail, or die in it.
func SetFault(c *Changes, fault func(step string) error) { c.fault = fault }
