import { Input, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { giftMessageMaxLength, giftMonths, type Interval } from '@ovation/contract/limits'
import { giveTexts as texts } from '@ovation/contract/texts/gifts'
import { payingTexts } from '@ovation/contract/texts/paying'
import { useMutation } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { localDate } from '../../lib/format/local-time.ts'
import { forgetDraft } from '../../lib/forms/draft.ts'
import { normalizeUsername } from '../../lib/forms/validators.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'
import { emailRule } from '../accounts/email-rule.ts'
import { useCheckout } from '../payments/use-checkout.ts'
import { monthlyCents } from '../subscriptions/plan-ladder.ts'
import type { PlanTerm } from '../subscriptions/plan-queries.ts'
import classes from './gift-dialog.module.css'

export type GiftablePlan = {
  id: string
  name: string
  price_cents: number
  interval: Interval
  terms: readonly PlanTerm[]
}

type Props = { creatorId: string; plans: readonly GiftablePlan[]; onClose: () => void }

/** All are texts: they are the values of the fields. */
type Values = {
  plan: string
  months: string
  way: 'username' | 'email'
  username: string
  email: string
  message: string
  /** A date, `"2026-03-04"`; empty for now. */
  deliverOn: string
}

/** Who gets which months of which plan, when, and with what words; then the checkout (OFFER-02). */
export default function GiftDialog({ creatorId, plans, onClose }: Props) {
  const close = () => {
    forgetDraft(draftKey(creatorId))
    onClose()
  }
  // The form shows errors itself.
  const checkout = useCheckout('create-payment-checkout', payingTexts.error, { onPaid: close, isHandled: () => true })
  const form = useAppForm<Values>({
    initialValues: {
      plan: plans[0]?.id ?? '',
      months: '3',
      way: 'username',
      username: '',
      email: '',
      message: '',
      deliverOn: '',
    },
    validate: {
      username: (value, { way }) => (way === 'email' || normalizeUsername(value) ? null : texts.errors.username),
      email: (value, { way }) => (way === 'username' ? null : emailRule(value)),
      deliverOn: (value) => (value === '' || isInReach(value) ? null : texts.errors.deliverOn),
    },
    draft: { key: draftKey(creatorId) },
  })
  const { months, way } = form.values
  const plan = plans.find(({ id }) => id === form.values.plan) ?? plans[0]
  const prepare = useMutation({
    mutationFn: async (values: Values) => {
      const { data } = await supabase
        .rpc('create_gift', {
          plan_id: plan?.id ?? '',
          months: Number(values.months),
          ...(values.way === 'username'
            ? { username: normalizeUsername(values.username) }
            : { email: values.email.trim() }),
          ...(values.message.trim() && { message: values.message }),
          ...(values.deliverOn && { deliver_at: morningOf(values.deliverOn).toISOString() }),
        })
        .throwOnError()
      return data
    },
  })
  const pending = prepare.isPending || checkout.pending !== undefined
  const busy = { readOnly: pending }
  const { cents, saved } = priceOf(plan, Number(months))
  const submit = form.handleSubmit(async (values) => {
    const targetId = await prepare.mutateAsync(values)
    await checkout.pay({ kind: 'gift', targetId })
    form.forgetDraft()
  })

  return (
    <Dialog title={texts.title} onClose={close} size="md" closable={!pending}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {plans.length > 1 && (
            <NativeSelect
              label={texts.plan}
              data={plans.map(({ id, name }) => ({ value: id, label: name }))}
              disabled={pending}
              {...form.getInputProps('plan')}
            />
          )}
          <Input.Wrapper label={texts.length} labelElement="div">
            <Segments
              aria-label={texts.length}
              data={giftMonths.map((count) => ({ value: String(count), label: texts.months(count) }))}
              value={months}
              onChange={(value) => form.setFieldValue('months', value)}
              readOnly={pending}
              className={classes.months}
            />
            {saved > 0 && <Input.Description mt="xs">{texts.saved(formatCents(saved))}</Input.Description>}
          </Input.Wrapper>
          <Input.Wrapper label={texts.to} labelElement="div">
            <Segments
              aria-label={texts.to}
              data={(['username', 'email'] as const).map((value) => ({ value, label: texts.ways[value] }))}
              value={way}
              onChange={(value) => form.setFieldValue('way', value)}
              readOnly={pending}
              fullWidth
            />
          </Input.Wrapper>
          {way === 'username' ? (
            <TextInput
              label={texts.username}
              required
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
              {...busy}
              {...form.getInputProps('username')}
            />
          ) : (
            <TextInput
              type="email"
              label={texts.email}
              description={texts.emailHint}
              required
              autoComplete="off"
              maxLength={255}
              {...busy}
              {...form.getInputProps('email')}
            />
          )}
          <Textarea
            label={texts.message}
            rows={3}
            maxLength={giftMessageMaxLength}
            dir="auto"
            {...busy}
            {...form.getInputProps('message')}
          />
          <TextInput
            type="date"
            label={texts.deliverOn}
            description={texts.deliverHint}
            min={localDate(new Date())}
            {...busy}
            {...form.getInputProps('deliverOn')}
          />
          <Text c="dimmed" size="sm">
            {texts.terms}
          </Text>
          <FormFoot
            submit={texts.submit(formatCents(cents))}
            pending={pending}
            failed={texts.failed}
            error={prepare.error ?? checkout.error}
            onCancel={close}
          />
        </Stack>
      </form>
    </Dialog>
  )
}

const draftKey = (creatorId: string) => `gift:${creatorId}`

/** A gift as long as one of the plan's terms costs as much as the term. Like `private.gift_cents`. */
function priceOf(plan: GiftablePlan | undefined, months: number): { cents: number; saved: number } {
  if (!plan) return { cents: 0, saved: 0 }
  const single = Math.round(monthlyCents(plan) * months)
  const cents = plan.terms.find((term) => term.months === months)?.price_cents ?? single
  return { cents, saved: single - cents }
}

/** Nine in the morning, where the giver is. */
const morningOf = (day: string) => new Date(`${day}T09:00:00`)

const isInReach = (day: string): boolean =>
  day >= localDate(new Date()) && morningOf(day).getTime() <= Date.now() + 180 * 86_400_000
