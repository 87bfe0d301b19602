package main

func tiersCommands() []command { return nil }
