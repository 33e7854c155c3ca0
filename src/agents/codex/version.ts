/** The version whose words and events are read here; what the Action installs is the same one. */
export const READ_VERSION = "0.169.0";
