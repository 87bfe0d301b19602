package main

func doctorCommands() []command { return nil }
