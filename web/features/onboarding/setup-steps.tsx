import { Anchor, Button, Group, NativeSelect, Text } from '@mantine/core'
import { payoutCountryCodes } from '@ovation/contract/countries'
import { onboardingTexts as texts } from '@ovation/contract/texts/onboarding'
import { IconCheck, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import type { SetupState } from '../../domain/payouts/payment-status-query.ts'
import { latestApplicationQuery } from '../../domain/verification/latest-application-query.ts'
import { useSession } from '../../lib/auth/session.tsx'
import { countryOptions } from '../../lib/format/country-options.ts'
import classes from './onboarding-screen.module.css'
import { isPayoutCountry, likelyPayoutCountry } from './payout-countries.ts'
import type { useSetup } from './use-setup.ts'

type Props = { state: SetupState; setup: ReturnType<typeof useSetup> }

/** ONB-02 */
export function SetupSteps({ state, setup }: Props) {
  return (
    <ol className={classes.steps} aria-label={texts.steps}>
      <Step number={1} title={texts.create.title} done={state !== 'none'}>
        <Text c="dimmed">{state === 'none' ? texts.create.message : texts.create.done}</Text>
        {state === 'none' && <CreateAccount setup={setup} />}
      </Step>
      <Step number={2} title={texts.verify.title} done={state === 'ready'} locked={state === 'none'}>
        <VerifyStep state={state} setup={setup} />
      </Step>
    </ol>
  )
}

/** Stripe needs the country before anything else, and never changes it: it decides what the account's holder has to show. */
function CreateAccount({ setup: { doing, createAccount, connectExisting } }: Pick<Props, 'setup'>) {
  const country = useCountry()
  const [isMissing, setMissing] = useState(false)
  const select = useRef<HTMLSelectElement>(null)
  const create = (event: FormEvent) => {
    event.preventDefault()
    if (isPayoutCountry(country.value)) return void createAccount(country.value)
    setMissing(true)
    select.current?.focus()
  }
  return (
    <form onSubmit={create} noValidate>
      <NativeSelect
        ref={select}
        mt="md"
        maw="22rem"
        label={texts.create.country}
        description={texts.create.countryHint}
        autoComplete="country"
        data={countryOptions(payoutCountryCodes, texts.create.chooseCountry)}
        value={country.value}
        error={isMissing && texts.create.chooseCountry}
        disabled={doing === 'create' || country.isPending}
        onChange={(event) => {
          country.choose(event.currentTarget.value)
          setMissing(false)
        }}
      />
      <Group mt="md">
        <Button type="submit" loading={doing === 'create'} disabled={doing === 'connect'}>
          {texts.create.action}
        </Button>
        <Button
          variant="default"
          onClick={() => void connectExisting()}
          loading={doing === 'connect'}
          disabled={doing === 'create'}
        >
          {texts.create.connect}
        </Button>
      </Group>
    </form>
  )
}

/** Until the creator chooses: the country that they have applied from, or else the one that the browser suggests. */
function useCountry() {
  const { user } = useSession()
  const applied = useQuery({ ...latestApplicationQuery(user?.id ?? ''), enabled: user !== null })
  const [chosen, choose] = useState<string>()
  const suggestion = () => {
    if (applied.isPending) return ''
    if (!applied.data) return likelyPayoutCountry()
    return isPayoutCountry(applied.data.country) ? applied.data.country : ''
  }
  return { value: chosen ?? suggestion(), choose, isPending: applied.isPending }
}

const verifyTexts = {
  none: texts.verify.locked,
  created: texts.verify.message,
  completed: texts.verify.checking,
  restricted: texts.verify.restricted,
  ready: texts.verify.done,
}

function VerifyStep({ state, setup: { doing, blockedUrl, startOnboarding } }: Props) {
  return (
    <>
      <Text c="dimmed">{verifyTexts[state]}</Text>
      {(state === 'created' || state === 'completed' || state === 'restricted') && (
        <Group mt="md">
          <Button
            variant={state === 'completed' ? 'default' : 'filled'}
            onClick={() => void startOnboarding()}
            loading={doing === 'redirect'}
            rightSection={<IconExternalLink size={17} stroke={1.75} aria-hidden="true" />}
          >
            {texts.verify.action}
          </Button>
          <div role="status">
            {doing === 'opened' && <Text size="sm">{texts.verify.opened}</Text>}
            {blockedUrl && (
              <Text size="sm">
                {texts.verify.blocked}{' '}
                <Anchor href={blockedUrl} target="_blank" rel="noreferrer" inherit fw={550} underline="always">
                  {texts.verify.open}
                </Anchor>
              </Text>
            )}
          </div>
        </Group>
      )}
    </>
  )
}

type StepProps = { number: number; title: string; done: boolean; locked?: boolean; children: ReactNode }

function Step({ number, title, done, locked = false, children }: StepProps) {
  return (
    <li className={`surface ${classes.step}`} data-done={done || undefined} data-locked={locked || undefined}>
      <span className={classes.number} aria-hidden="true">
        {done ? <IconCheck size={18} stroke={2.25} /> : number}
      </span>
      <div>
        <h2 className={classes.stepTitle}>
          {title}
          {done && <span className="visually-hidden"> · {texts.done}</span>}
        </h2>
        {children}
      </div>
    </li>
  )
}
