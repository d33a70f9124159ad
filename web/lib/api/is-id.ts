/** Whether text from an address can be the id of a row. What is none would be refused by PostgreSQL. */
export const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
