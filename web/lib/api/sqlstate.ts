/** PostgreSQL's code for a row that is there already. To whoever asked for it to be there, it is so: another window or an earlier attempt was first. */
export const uniqueViolation = '23505'
