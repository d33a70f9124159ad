import { Badge, Button, Group, Text } from '@mantine/core'
import { onboardingTexts } from '@ovation/contract/texts/onboarding'
import { IconCircleCheckFilled, IconCircleDashed, IconRefresh } from '@tabler/icons-react'
import type { PaymentStatus, SetupState } from './payment-status-query.ts'
import classes from './status-card.module.css'

const texts = onboardingTexts.status

const badgeColors = { none: 'gray', created: 'gray', completed: 'gray', restricted: 'yellow', ready: 'teal' } as const

type Props = { status: PaymentStatus; state: SetupState; onRefresh: () => void; refreshing: boolean }

/** ONB-03, ONB-06, ONB-10 */
export function StatusCard({ status, state, onRefresh, refreshing }: Props) {
  const facts = {
    account: status.has_stripe_account,
    onboarding: status.onboarding_completed,
    charges: status.charges_enabled,
    payouts: status.payouts_enabled,
  }
  return (
    <section className={`surface ${classes.status}`} aria-labelledby="account-status">
      <Group justify="space-between" gap="sm">
        <h2 id="account-status" className={classes.title}>
          {texts.title}
        </h2>
        <Badge variant="light" color={badgeColors[state]} className={classes.badge} data-state={state}>
          {onboardingTexts.states[state]}
        </Badge>
      </Group>
      <dl className={classes.facts}>
        {(['account', 'onboarding', 'charges', 'payouts'] as const).map((name) => (
          <div key={name} className={classes.fact} data-true={facts[name] || undefined}>
            <dt>{texts[name]}</dt>
            <dd>
              {texts[facts[name] ? 'yes' : 'no'][name]}
              {facts[name] ? (
                <IconCircleCheckFilled size={18} aria-hidden="true" />
              ) : (
                <IconCircleDashed size={18} stroke={1.6} aria-hidden="true" />
              )}
            </dd>
          </div>
        ))}
        {status.account_id && (
          <div className={classes.fact}>
            <dt>{texts.accountId}</dt>
            <dd className={classes.accountId}>{status.account_id}</dd>
          </div>
        )}
      </dl>
      <Button
        variant="default"
        fullWidth
        onClick={onRefresh}
        loading={refreshing}
        leftSection={<IconRefresh size={17} stroke={1.75} aria-hidden="true" />}
      >
        {texts.refresh}
      </Button>
      {state !== 'ready' && (
        <Text size="sm" c="dimmed" mt="sm">
          {texts.patience}
        </Text>
      )}
    </section>
  )
}
