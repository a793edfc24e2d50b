/** A message about the settings of a job, with the paths that the request of its run has: `settings["video/clip-near"].aspect`. */
export function asOfStep(message: string, endpoint: string): string {
  return message.replaceAll(/\bsettings\.(?=[a-z_])/g, () => `settings["${endpoint}"].`)
}
