/** What is younger is still in the hands of whoever made it. */
export const graceSeconds = 5

/** Rows of one rule and run; the rest has its turn in the next run. */
export const mostAtOnce = 500
