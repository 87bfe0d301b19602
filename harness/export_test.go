package harness

// PanickingHook gives a hook whose decision panics.
func PanickingHook() Hook { return Hook{testOnlyPanic: true} }
