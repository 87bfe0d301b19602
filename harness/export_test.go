package harness

// SetFault lets a test make a step of Apply fail, or die in it.
func SetFault(c *Changes, fault func(step string) error) { c.fault = fault }
