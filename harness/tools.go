package harness

// toolRow says what a tool of one agent does and in which fields of its input.
type toolRow struct {
	class ToolClass
	field string // Shell: the command; Writer: the path, or a patch when patch is set; UnknownShell: what may be empty
	patch bool   // the field holds a patch in Codex's format, which names its files
}

// tools is the table of K30, per agent and exact name.
var tools = map[Name]map[string]toolRow{
	Claude: {
		"Bash":         {class: Shell, field: "command"},
		"PowerShell":   {class: UnknownShell},
		"Write":        {class: Writer, field: "file_path"},
		"Edit":         {class: Writer, field: "file_path"},
		"MultiEdit":    {class: Writer, field: "file_path"},
		"NotebookEdit": {class: Writer, field: "notebook_path"},
		"BashOutput":   {class: Other}, // reads what a command has printed
		"KillShell":    {class: Other},
		"KillBash":     {class: Other},
		"SlashCommand": {class: Other}, // a text for the model
	},
	Codex: {
		"Bash":             {class: Shell, field: "command"},
		"shell":            {class: Shell, field: "command"},
		"shell_command":    {class: Shell, field: "command"},
		"local_shell":      {class: Shell, field: "command"},
		"container.exec":   {class: Shell, field: "command"},
		"exec_command":     {class: Shell, field: "cmd"},
		"unified_exec":     {class: Shell, field: "command"},
		"write_stdin":      {class: UnknownShell, field: "chars"},
		"apply_patch":      {class: Writer, field: "command", patch: true},
		"Write":            {class: Writer, field: "file_path"},
		"Edit":             {class: Writer, field: "file_path"},
		"powershell":       {class: UnknownShell},
		"shell_powershell": {class: UnknownShell},
	},
	Gemini: {
		"run_shell_command": {class: Shell, field: "command"},
		"write_file":        {class: Writer, field: "file_path"},
		"replace":           {class: Writer, field: "file_path"},
	},
}

// shellWords are parts of a name that make an unknown tool one that runs commands: such a tool must ask, not pass as
// "other".
var shellWords = []string{"bash", "shell", "terminal", "powershell", "pwsh", "cmd", "zsh", "exec", "command", "console", "repl", "interpreter", "run_code", "run_script", "run_python", "subprocess"}

// commandFields are the fields of its input that make an unknown tool one that runs commands.
var commandFields = []string{"command", "cmd", "shell_command", "argv"}

// promptsOff are the words, in whatever field an agent says them, that mean: nobody will be asked.
var promptsOff = []string{"bypassPermissions", "dontAsk", "never", "yolo"}

// modeFields are where an agent says how it asks.
var modeFields = []string{"permission_mode", "approval_policy", "approval_mode"}
