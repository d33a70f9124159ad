import { readFileSync } from 'node:fs'
import { eventTypes } from '@ovation/sandbox'
import { expect, it } from 'vitest'
import { handledTypes } from './fulfill-event.ts'

const page = readFileSync(new URL('../../../docs/stripe.md', import.meta.url), 'utf8')

/** `invoice.paid`, and `.updated` behind `customer.subscription.created`. */
function namedEvents(): string[] {
  const [, list = ''] = /with these events:\n([\s\S]+?)\n4\. /.exec(page) ?? []
  let family = ''
  return [...list.matchAll(/`([a-z_.]+)`/g)].map(([, name = '']) => {
    if (!name.startsWith('.')) family = name.slice(0, name.lastIndexOf('.'))
    return name.startsWith('.') ? family + name : name
  })
}

it('the handled events are exactly those that the docs ask operators to send', () => {
  expect(namedEvents().toSorted()).toEqual(handledTypes.toSorted())
})

it('the sandbox sends each of them, so that no handler is first tried on Stripe', () => {
  expect(handledTypes.filter((type) => !(eventTypes as readonly string[]).includes(type))).toEqual([])
})
