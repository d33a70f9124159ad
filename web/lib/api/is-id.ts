/** Whether text from a URL can be a row's id. PostgreSQL would reject anything else. */
export const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
