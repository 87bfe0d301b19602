package main

func completionCommands() []command { return nil }
