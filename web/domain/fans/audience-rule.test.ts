import { expect, it } from 'vitest'
import { draftOf, isFull, newCondition, newGroup, type Rule, ruleOf } from './audience-rule.ts'

it('reads a rule and writes the same one, with its groups [LIST-02]', () => {
  const rule: Rule = {
    any: [
      { condition: 'spent', is: 'at_least', cents: 5000 },
      { all: [{ condition: 'plan', plan: 'gold' }, { condition: 'renewal_off' }] },
    ],
  }
  expect(ruleOf(draftOf(rule))).toEqual(rule)
})

it('is no rule while a field is empty or wrong [LIST-02]', () => {
  const draft = newGroup()
  expect(ruleOf(draft)).toEqual({ all: [{ condition: 'subscribed', status: 'any' }] })
  const part = newCondition('spent_lately')
  const withValues = (values: typeof part.values) => ruleOf({ ...draft, parts: [{ ...part, values }] })
  expect(withValues({ is: 'at_least', cents: 500 })).toBeNull()
  expect(withValues({ is: 'at_least', cents: 500, days: 3651 })).toBeNull()
  expect(withValues({ is: 'at_least', cents: 0.5, days: 30 })).toBeNull()
  expect(withValues({ is: 'at_least', cents: 500, days: 30 })).not.toBeNull()
  expect(ruleOf({ ...draft, parts: [] })).toBeNull()
})

it('takes up to twenty conditions, those in groups included [LIST-02]', () => {
  const draft = { ...newGroup(), parts: Array.from({ length: 18 }, () => newCondition()) }
  expect(isFull({ ...draft, parts: [...draft.parts, newGroup()] })).toBe(false)
  expect(isFull({ ...draft, parts: [...draft.parts, newGroup(), newCondition()] })).toBe(true)
})

it('needs one of the links, or any, for fans who came by it [LIST-02]', () => {
  const draft = newGroup()
  const part = newCondition('came_by_link')
  expect(ruleOf({ ...draft, parts: [part] })).toBeNull()
  for (const link of ['any', 'link-1'])
    expect(ruleOf({ ...draft, parts: [{ ...part, values: { link } }] })).toEqual({
      all: [{ condition: 'came_by_link', link }],
    })
})
