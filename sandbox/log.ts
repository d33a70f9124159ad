/** Where the sandbox says what a person should know; a pino logger and the console both fit. */
export type Log = { warn: (message: string) => void; error: (message: string) => void }

export const silent: Log = { warn: () => {}, error: () => {} }
