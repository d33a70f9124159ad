/** PostgreSQL's code for a row that exists already: another tab or an earlier attempt was first. If the row was meant to exist, it's a success. */
export const uniqueViolation = '23505'
