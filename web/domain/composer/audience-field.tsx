import { Alert, Anchor, Radio, Skeleton, Stack } from '@mantine/core'
import { ppvMinPriceCents, priceMaxCents } from '@ovation/contract/limits'
import { paths } from '@ovation/contract/paths'
import { composerTexts } from '@ovation/contract/texts/posts'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatCents } from '../../lib/format/format-number.ts'
import { PriceInput } from '../../ui/price-input.tsx'
import type { AppForm } from '../../ui/use-app-form.ts'
import type { Plan } from '../subscriptions/plan-queries.ts'
import type { ComposerValues } from './composer-values.ts'

type Props = {
  form: AppForm<ComposerValues>
  plans: UseQueryResult<Plan[]>
  /** The creator's default price for pay-per-view posts, in dollars; empty for none. */
  usualPrice: string
  disabled: boolean
}

/** Free, one of the creator's active plans, or pay-per-view with its price (POST-18, POST-19, POST-22, D26, LOOP-15). */
export function AudienceField({ form, plans, usualPrice, disabled }: Props) {
  const choose = (audience: string) => {
    form.setFieldValue('audience', audience)
    // Keep a price that was typed.
    if (audience === 'ppv' && form.values.price === '') form.setFieldValue('price', usualPrice)
  }
  return (
    <>
      <Radio.Group label={composerTexts.audience} {...form.getInputProps('audience')} onChange={choose}>
        <Stack gap="xs" mt={6}>
          <Radio value="free" label={composerTexts.free} description={composerTexts.freeHint} disabled={disabled} />
          {/* As high as one plan, which most creators have. */}
          {plans.isPending && <Skeleton height="2.625rem" />}
          {plans.data?.map((plan) => (
            <Radio
              key={plan.id}
              value={plan.id}
              label={composerTexts.subscribers(
                plan.opensTo === 'above' ? composerTexts.andAbove(plan.name) : plan.name,
                `${formatCents(plan.price_cents)} / ${plan.interval}`,
              )}
              description={
                plan.opensTo === 'own' && plans.data.length > 1
                  ? composerTexts.onlyThisPlanHint
                  : composerTexts.opensToHint[plan.opensTo]
              }
              disabled={disabled}
            />
          ))}
          <Radio
            value="ppv"
            label={composerTexts.payPerView}
            description={composerTexts.payPerViewHint}
            disabled={disabled}
          />
        </Stack>
      </Radio.Group>
      {form.values.audience === 'ppv' && (
        <PriceInput
          label={composerTexts.price}
          min={0}
          max={priceMaxCents / 100}
          hideControls={false}
          step={1}
          placeholder={formatCents(ppvMinPriceCents)}
          disabled={disabled}
          {...form.getInputProps('price')}
          onChange={(price) => form.setFieldValue('price', String(price))}
        />
      )}
      {plans.isError && <Alert color="crimson">{composerTexts.plansFailed}</Alert>}
      {plans.data?.length === 0 && (
        <Alert color="gray">
          {composerTexts.noPlans}{' '}
          <Anchor component={Link} to={paths.subscriptionProducts} inherit underline="always">
            {composerTexts.noPlansAction}
          </Anchor>
        </Alert>
      )}
    </>
  )
}
