import { expect, it } from 'vitest'
import {
  type DraftStep,
  newStep,
  problemOf,
  problemOfSteps,
  stepOf,
  templateNames,
  triggerOf,
  valuesOf,
  valuesOfTemplate,
} from './flow-draft.ts'
import type { Flow, SavedStep } from './flow-queries.ts'

const figures = { entered: 0, waiting: 0, sent: 0, bought: 0, earned_cents: 0, files: [] }
const file = { id: 'file-1', path: 'a/b.jpg', kind: 'image' as const, name: 'Sea', created_at: '2024-05-01T10:00:00Z' }

it('reads the steps of a flow and saves the same ones [AUTO-02]', () => {
  const steps = [
    { id: '1', kind: 'wait', minutes: 90 },
    { id: '2', kind: 'wait', minutes: 2880 },
    { id: '3', kind: 'condition', rule: { all: [{ condition: 'renewal_off' }] } },
    { id: '4', kind: 'promotion_code', percent_off: 20, valid_days: 14 },
    { id: '5', kind: 'send', content: '{code}', price_cents: 500, file_ids: ['file-1'], preview_index: 0 },
    { id: '6', kind: 'add_to_list', list: 'list-1' },
    { id: '7', kind: 'end' },
  ] as const
  const flow: Flow = {
    id: 'flow-1',
    name: 'Welcome',
    trigger: { trigger: 'payment', cents: 1050 },
    status: 'draft',
    quiet_from: '22:00:00',
    quiet_until: '08:00:00',
    created_at: '2024-05-01T10:00:00Z',
    steps: steps.map((step) => ({ ...step, ...figures, files: step.kind === 'send' ? [file] : [] })) as SavedStep[],
  }
  const values = valuesOf(flow)
  expect(values).toMatchObject({ name: 'Welcome', dollars: 10.5, quietFrom: '22:00', quietUntil: '08:00' })
  expect(values.steps.slice(0, 2)).toMatchObject([
    { amount: 90, unit: 'minutes' },
    { amount: 2, unit: 'days' },
  ])
  expect(problemOfSteps(values.steps)).toBeNull()
  expect(values.steps.map(stepOf)).toEqual(steps)
  expect(triggerOf(values)).toEqual(flow.trigger)
})

it('names what keeps a step from being saved, and where it is [AUTO-02]', () => {
  const step = (kind: DraftStep['kind'], rest: object = {}) => ({ ...newStep(kind), ...rest }) as DraftStep
  expect(problemOf(step('wait', { amount: '' }), [])).toMatch('how long to wait')
  expect(problemOf(step('wait', { amount: 366 }), [])).toMatch('how long to wait')
  expect(problemOf(step('send'), [])).toMatch('Write a message')
  expect(problemOf(step('send', { content: 'Hi', price: 0.5 }), [])).toMatch('$1.00')
  expect(problemOf(step('send', { files: [file] }), [])).toBeNull()
  expect(problemOf(step('promotion_code', { percent: 101 }), [])).toMatch('discount')
  expect(problemOf(step('remove_from_list'), [])).toMatch('Choose a list')
  expect(problemOfSteps([])).toBe('Add a step.')
  expect(problemOfSteps([step('send', { content: 'Hi' }), step('send', { content: '{code}' })])).toBe(
    'Step 2: A message with {code} must follow a promotion code.',
  )
})

it('has ready-made flows that can be saved as they are [AUTO-04]', () => {
  for (const name of templateNames) {
    const values = valuesOfTemplate(name)
    expect(triggerOf(values)).not.toBeNull()
    if (name !== 'blank') expect([name, values.name !== '', problemOfSteps(values.steps)]).toEqual([name, true, null])
  }
})

it('starts by any link until one is chosen [AUTO-01]', () => {
  const values = { ...valuesOfTemplate('blank'), trigger: 'link' as const }
  expect(triggerOf(values)).toEqual({ trigger: 'link', link: 'any' })
  const saved = { trigger: 'link', link: 'link-1' } as const
  const flow = {
    name: 'Welcome',
    trigger: saved,
    quiet_from: null,
    quiet_until: null,
    steps: [] as SavedStep[],
  } as unknown as Flow
  expect(triggerOf(valuesOf(flow))).toEqual(saved)
})
