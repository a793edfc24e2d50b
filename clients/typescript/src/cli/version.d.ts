/** The version of the package, which the build writes here. */
declare const __VERSION__: string
