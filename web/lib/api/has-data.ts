import type { Query } from '@tanstack/react-query'

/**
 * For `cancelQueries` before an optimistic update. Skips queries without data: a canceled first load would not restart, and its buttons
 * would stay disabled.
 */
export const hasData = ({ state }: Query): boolean => state.data !== undefined
