import type { Query } from '@tanstack/react-query'

/**
 * For `cancelQueries`, before what is known is changed by hand. A query that has no answer yet is left alone: nobody would ask again, and
 * its buttons would wait for ever.
 */
export const hasData = ({ state }: Query): boolean => state.data !== undefined
