package main

func envelopeCommands() []command { return nil }
