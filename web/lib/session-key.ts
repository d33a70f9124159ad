/** Where the official client keeps the session of this gateway in the browser (AUTH-27). */
export const sessionKey = (gateway: string): string => `sb-${new URL(gateway).hostname.split('.')[0]}-auth-token`
