import { describe, expect, it } from 'vitest'
import { choicesOf, conditionOf, keyOf } from '../../../domain/mass-messages/audience.ts'
import { buildFile, buildMass } from '../../../testing/mass-messages.ts'
import { argumentsOf, canSave, noValues, rules, valuesFrom, valuesOf } from './mass-values.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const full = { ...noValues(['subscribers']), content: 'Hello', zone: 'UTC' }

describe('the recipients of a mass message', () => {
  it.each([
    { condition: 'everyone' },
    { condition: 'subscribed', status: 'any' },
    { condition: 'not_subscribed', before: 'ever' },
    { condition: 'renewal_off' },
    { condition: 'only_follows' },
    { condition: 'in_list', list: 'list-1' },
    { condition: 'plan', plan: 'plan-1' },
    // Only API clients write these.
    { condition: 'subscribed', status: 'trial' },
    { condition: 'spent', is: 'at_least', cents: 500 },
  ] as const)('are kept as they are: %j [MASS-01]', (condition) => {
    expect(conditionOf(keyOf(condition))).toEqual(condition)
  })

  it('have a name each, also after their list is gone [MASS-01]', () => {
    const spent = keyOf({ condition: 'spent', is: 'at_least', cents: 500 })
    const groups = choicesOf(
      [{ id: 'list-1', name: 'Regulars' }],
      [{ id: 'plan-1', name: 'Backstage' }],
      ['list list-1', 'list gone', spent],
    )
    expect(groups.map(({ group, items }) => [group, items.map(({ label }) => label)])).toEqual([
      [
        'Groups',
        [
          'Everyone',
          'Subscribers',
          'Former subscribers',
          'Subscribers with renewal off',
          'Followers without a subscription',
        ],
      ],
      ['Lists', ['Regulars']],
      ['Plans', ['Subscribers of Backstage']],
      ['Others', ['Deleted list or plan', 'Spent in total']],
    ])
  })
})

describe('a mass message that is opened again', () => {
  const message = buildMass({
    content: 'New photos',
    price_cents: 500,
    files: [buildFile({ id: 'file-1' }), buildFile({ id: 'file-2' })],
    preview_index: 1,
    audience: { include: [{ condition: 'everyone' }], exclude: [{ condition: 'plan', plan: 'plan-1' }] },
    skip_owners: true,
    skip_recent_hours: 48,
    status: 'scheduled',
    scheduled_at: '2026-03-08T13:00:00Z',
    ends_at: '2026-03-10T13:00:00Z',
    time_zone: 'America/New_York',
  })

  it('has everything that was saved, on the clock of its zone [MASS-02]', () => {
    expect(valuesOf(message)).toMatchObject({
      savedAs: message.id,
      to: ['everyone'],
      except: ['plan plan-1'],
      content: 'New photos',
      previewId: 'file-2',
      price: 5,
      skipOwners: true,
      skipsRecent: true,
      recentHours: 48,
      later: true,
      sendAt: '2026-03-08T09:00',
      ends: true,
      endsAt: '2026-03-10T09:00',
      zone: 'America/New_York',
    })
  })

  it('begins a new one without its times [MASS-02]', () => {
    expect(valuesFrom(message)).toMatchObject({ savedAs: '', content: 'New photos', later: false, ends: false })
  })
})

describe('what the server gets', () => {
  it('is a preview and an end of a paid message only [MASS-01, MASS-04]', () => {
    const files = [buildFile({ id: 'file-1' }), buildFile({ id: 'file-2' })]
    const offer = { ...full, files, previewId: 'file-2', price: '7.50', ends: true, endsAt: inDays(2).slice(0, 16) }
    expect(argumentsOf(offer)).toMatchObject({
      content: 'Hello',
      price_cents: 750,
      file_ids: ['file-1', 'file-2'],
      preview_index: 1,
      ends_at: expect.stringMatching(/Z$/),
      audience: { include: [{ condition: 'subscribed', status: 'any' }], exclude: [] },
    })
    expect(argumentsOf({ ...offer, price: '' })).toMatchObject({
      price_cents: null,
      preview_index: null,
      ends_at: null,
    })
    // It is over: the field says so, and the draft is kept without it.
    expect(argumentsOf({ ...offer, endsAt: '2020-01-01T00:00' })).toMatchObject({ ends_at: null })
  })

  it('is nothing while nothing is written, or a field is wrong', () => {
    expect(canSave(noValues())).toBe(false)
    expect(canSave(full)).toBe(true)
    expect(canSave({ ...full, price: 0.2 })).toBe(false)
    expect(canSave({ ...full, skipsRecent: true, recentHours: 1000 })).toBe(false)
  })
})

describe('the rules of the composer', () => {
  it.each([
    ['no recipients', rules.to([]), 'Choose who gets it'],
    ['no words and no files', rules.content(' ', noValues()), 'Write a message, or add a file'],
    ['a price below the least', rules.price(0.2), 'Enter a price from $1.00 to $9,999.99, or leave it empty'],
    [
      'half an hour',
      rules.recentHours(0, { ...full, skipsRecent: true, recentHours: 0.5 }),
      'Enter a whole number from 1 to 720',
    ],
    ['no time', rules.sendAt(0, { ...full, later: true }), 'Choose a date and time'],
    [
      'a time that is over',
      rules.sendAt(0, { ...full, later: true, sendAt: '2020-01-01T00:00' }),
      'Choose a time in the future',
    ],
    [
      'a time too far',
      rules.sendAt(0, { ...full, later: true, sendAt: inDays(400).slice(0, 16) }),
      'Choose a time within a year',
    ],
    [
      'an end before it is sent',
      rules.endsAt(0, {
        ...full,
        price: 5,
        later: true,
        sendAt: inDays(3).slice(0, 16),
        ends: true,
        endsAt: inDays(2).slice(0, 16),
      }),
      'The offer has to end after it is sent',
    ],
  ])('reject %s [MASS-01, MASS-02]', (_what, problem, says) => {
    expect(problem).toBe(says)
  })

  it('accept a free message to be sent now [MASS-01]', () => {
    expect([rules.to(full.to), rules.content(full.content, full), rules.price(''), rules.sendAt(0, full)]).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect(rules.endsAt(0, { ...full, ends: true })).toBeNull()
    expect(rules.recentHours(0, full)).toBeNull()
  })
})
