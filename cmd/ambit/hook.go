package main

func hookCommands() []command { return nil }
