import { Badge, Button, Text } from '@mantine/core'
import { integrationTexts } from '@ovation/contract/texts/integration'
import { useState } from 'react'
import { errorMessageOf } from '../../../lib/api/error-message-of.ts'
import { callFunction } from '../../../lib/api/functions.ts'
import classes from './integration.module.css'

const texts = integrationTexts.suite

type Split = { grossCents: number; feeCents: number; netCents: number }

/** The checks, in order. Each rejects with a readable message if it fails. */
const tests = {
  connection: () => callFunction('stripe-test-connection'),
  account: () => callFunction('check-stripe-status'),
  fees: async () => {
    const { samples } = await callFunction<{ samples: Split[] }>('test-platform-fees')
    if (samples.some(({ grossCents, feeCents, netCents }) => feeCents + netCents !== grossCents))
      throw new Error(texts.feesDiffer)
  },
  subscriptions: () => callFunction('refresh-subscription-status'),
} as const
type Name = keyof typeof tests
const names = Object.keys(tests) as Name[]

/** TEST-06 */
type Outcome = { state: 'pending' | 'completed' | 'error'; message?: string }
const allPending = () => Object.fromEntries(names.map((name) => [name, { state: 'pending' }])) as Record<Name, Outcome>

/** TEST-03. The checks run in order; a failed one doesn't stop the rest. */
export function StatusSuite() {
  const [outcomes, setOutcomes] = useState(allPending)
  const [running, setRunning] = useState<Name | null>(null)

  const runAll = async () => {
    setOutcomes(allPending())
    for (const name of names) {
      setRunning(name)
      const outcome: Outcome = await tests[name]().then(
        () => ({ state: 'completed' }),
        (error: unknown) => ({ state: 'error', message: errorMessageOf(error) }),
      )
      setOutcomes((before) => ({ ...before, [name]: outcome }))
    }
    setRunning(null)
  }

  return (
    <section className={`surface ${classes.section}`} aria-labelledby="suite">
      <div className={classes.head}>
        <h2 id="suite">{texts.title}</h2>
        <Button variant="default" loading={running !== null} onClick={() => void runAll()}>
          {texts.run}
        </Button>
      </div>
      <Text c="dimmed">{texts.message}</Text>
      <ul className={classes.tests} aria-label={texts.list} aria-live="polite">
        {names.map((name) => {
          const { state, message } = outcomes[name]
          return (
            <li key={name} aria-busy={running === name}>
              <div>
                {texts.tests[name]}
                {message && (
                  <Text size="sm" c="dimmed">
                    {message}
                  </Text>
                )}
              </div>
              <Badge variant="light" color={colors[state]} className={classes.state ?? ''} data-state={state}>
                {texts.states[state]}
              </Badge>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const colors = { pending: 'gray', completed: 'teal', error: 'crimson' }
