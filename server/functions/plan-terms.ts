import { termMaxPercentOff, termMonths } from '@ovation/contract/plan-terms'
import type { PlanTerm } from '../payments/plans/set-prices.ts'
import { functionErrors } from './errors.ts'
import { type Field, integer } from './fields.ts'

const percentOff = integer({ label: 'The discount of a term in percent', min: 0, max: termMaxPercentOff })
const known: readonly number[] = termMonths

/** The terms of a plan: a list of {months, percent_off}, each number of months once. Absent is null, which differs from an empty list. */
export const planTerms: Field<readonly PlanTerm[] | null> = (value, name) => {
  if (value === undefined) return null
  if (!Array.isArray(value)) throw functionErrors.invalidField(name, 'The terms must be a list')
  const terms = value.map((one: unknown) => readTerm(one, name))
  if (new Set(terms.map(({ months }) => months)).size < terms.length)
    throw functionErrors.invalidField(name, 'Each number of months can be there once')
  return terms
}

function readTerm(value: unknown, name: string): PlanTerm {
  const { months, percent_off } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  if (typeof months !== 'number' || !known.includes(months))
    throw functionErrors.invalidField(name, `A term must have one of ${known.join(', ')} months`)
  return { months, percentOff: percentOff(percent_off ?? undefined, name) }
}

const counts: readonly number[] = [1, ...termMonths]

/** The term that a fan chooses: how many of the plan's intervals a period has. Absent is 1. */
export const intervalCount: Field<number> = (value, name) => {
  if (value === undefined) return 1
  const count = counts.find((one) => one === value)
  if (count === undefined) throw functionErrors.invalidField(name, `The term must be one of ${counts.join(', ')}`)
  return count
}
