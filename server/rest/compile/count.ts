import type { RequestPlan } from '../resolve/plan.ts'
import type { Parameters } from './parameters.ts'
import { compileCount } from './read.ts'

/** The number of all rows that match, whatever page is returned (`Prefer: count=exact` and `count=estimated`). */
export function compileTotal({ preferences, read, mutation, maxRows }: RequestPlan, parameters: Parameters): string {
  if (mutation || preferences.count === undefined || preferences.count === 'planned') return 'null'
  // Estimated: counted exactly while that is cheap.
  const limit = preferences.count === 'estimated' ? maxRows + 1 : undefined
  return `(select count(*) from (${compileCount(read, parameters, limit)}) as _c)`
}
