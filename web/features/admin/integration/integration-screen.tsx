import { Badge, Button, Text } from '@mantine/core'
import { integrationTexts as texts } from '@ovation/contract/texts/integration'
import { useMutation } from '@tanstack/react-query'
import { appConfig } from '../../../lib/api/config.ts'
import { errorMessageOf } from '../../../lib/api/error-message-of.ts'
import { callFunction } from '../../../lib/api/functions.ts'
import { useViewer } from '../../../lib/auth/viewer.ts'
import { formatExact } from '../../../lib/format/format-date.ts'
import { FormFailure } from '../../../ui/form-failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { AdminPage } from '../operations/admin-page.tsx'
import { FunctionTests } from './function-tests.tsx'
import { Guide } from './guide.tsx'
import classes from './integration.module.css'
import { StatusSuite } from './status-suite.tsx'

/** TEST-01..TEST-08 */
export function IntegrationScreen() {
  const viewer = useViewer()
  const content = (
    <>
      <Text component="div" c="dimmed" mb="lg">
        {texts.intro}{' '}
        <Badge variant="default" className={classes.mode ?? ''}>
          {texts.mode[appConfig().stripeMode]}
        </Badge>
      </Text>
      <div className={classes.sections}>
        <Guide />
        <Connection />
        <StatusSuite />
        <FunctionTests />
      </div>
    </>
  )
  if (viewer?.isAdmin) return <AdminPage title={texts.title}>{content}</AdminPage>
  return (
    <Page title={texts.title} width="wide">
      {content}
    </Page>
  )
}

type TestResult = {
  message: string
  status: {
    environment: Record<string, boolean>
    key_prefix: string | null
    timestamp: string
  }
}

/** TEST-04, API-FN-12 */
function Connection() {
  const test = useMutation({ mutationFn: () => callFunction<TestResult>('stripe-test-connection') })
  const connectionTexts = texts.connection
  return (
    <section className={`surface ${classes.section}`} aria-labelledby="connection">
      <div className={classes.head}>
        <h2 id="connection">{connectionTexts.title}</h2>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {connectionTexts.run}
        </Button>
      </div>
      <Text c="dimmed">{connectionTexts.message}</Text>
      <div aria-live="polite">
        {test.data && (
          <>
            <Text mt="md" fw={550}>
              {test.data.message}
            </Text>
            <dl className={classes.facts}>
              {Object.entries(test.data.status.environment).map(([name, isSet]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{isSet ? connectionTexts.set : connectionTexts.notSet}</dd>
                </div>
              ))}
              <div>
                <dt>{connectionTexts.keyPrefix}</dt>
                <dd>{test.data.status.key_prefix ?? connectionTexts.none}</dd>
              </div>
              <div>
                <dt>{connectionTexts.asked}</dt>
                <dd>{formatExact(test.data.status.timestamp)}</dd>
              </div>
            </dl>
          </>
        )}
      </div>
      <FormFailure title={connectionTexts.failed} message={test.error ? errorMessageOf(test.error) : undefined} />
    </section>
  )
}
