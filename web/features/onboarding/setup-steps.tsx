import { Anchor, Button, Group, Text } from '@mantine/core'
import { onboardingTexts as texts } from '@ovation/contract/texts/onboarding'
import { IconCheck, IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SetupState } from '../../domain/payouts/queries.ts'
import classes from './onboarding-screen.module.css'
import type { useSetup } from './use-setup.ts'

type Props = { state: SetupState; setup: ReturnType<typeof useSetup> }

/** ONB-02 */
export function SetupSteps({ state, setup }: Props) {
  const { doing, createAccount, connectExisting } = setup
  return (
    <ol className={classes.steps} aria-label={texts.steps}>
      <Step number={1} title={texts.create.title} done={state !== 'none'}>
        <Text c="dimmed">{state === 'none' ? texts.create.message : texts.create.done}</Text>
        {state === 'none' && (
          <Group mt="md">
            <Button onClick={() => void createAccount()} loading={doing === 'create'} disabled={doing === 'connect'}>
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
        )}
      </Step>
      <Step number={2} title={texts.verify.title} done={state === 'ready'} locked={state === 'none'}>
        <VerifyStep state={state} setup={setup} />
      </Step>
    </ol>
  )
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
