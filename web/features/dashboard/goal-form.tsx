import { Anchor, Checkbox, Input, NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core'
import {
  goalMaxCents,
  goalMaxDays,
  goalMaxSubscribers,
  goalMinCents,
  goalRefundMaxDays,
  goalTextMaxLength,
  goalTitleMaxLength,
} from '@ovation/contract/limits'
import { goalTexts } from '@ovation/contract/texts/goals'
import { IconArrowLeft } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { type Goal, goalsKey } from '../../domain/goals/queries.ts'
import { CoverField } from '../../domain/posts/cover-field.tsx'
import { useCover } from '../../domain/posts/use-cover.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { centsOf } from '../../lib/format/cents-of.ts'
import { fromLocalInput, toLocalInput } from '../../lib/format/local-time.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { PriceInput } from '../../ui/price-input.tsx'
import { Segments } from '../../ui/segments.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import classes from './goals-tab.module.css'

const texts = goalTexts.form
const dayMs = 86_400_000

type Values = {
  title: string
  description: string
  kind: Goal['kind']
  amount: number | string
  count: number | string
  endsAt: string
  refunds: boolean
}
type Props = { profileId: string; goal?: Goal; onClose: () => void }

/** A new goal, or the words and the picture of one that is open: what fans rely on never changes (OFFER-07). */
export default function GoalForm({ profileId, goal, onClose }: Props) {
  const queryClient = useQueryClient()
  const userId = useViewer()?.userId ?? ''
  const cover = useCover(userId, goal?.cover_path ?? null)
  const form = useAppForm<Values>({
    initialValues: {
      title: goal?.title ?? '',
      description: goal?.description ?? '',
      kind: 'money',
      amount: '',
      count: '',
      endsAt: toLocalInput(new Date(Date.now() + 30 * dayMs)),
      refunds: false,
    },
    validate: {
      title: (value) => (value.trim() ? null : texts.name.missing),
      amount: (value, { kind }) => (goal || kind !== 'money' ? null : wrongWithAmount(value)),
      count: (value, { kind }) => (goal || kind !== 'subscribers' || isCount(value) ? null : texts.count.range),
      endsAt: (value, { kind, refunds }) => (goal ? null : wrongWithEnd(value, kind === 'money' && refunds)),
    },
    draft: { key: `goal:${goal?.id ?? profileId}` },
  })
  const isMoney = form.values.kind === 'money'
  const save = useMutation({
    mutationFn: async (values: Values) => {
      const coverPath = await cover.upload()
      const description = values.description.trim()
      const words = {
        title: values.title.trim(),
        ...(description && { description }),
        ...(coverPath && { cover_path: coverPath }),
      }
      if (goal) await supabase.rpc('change_goal', { goal_id: goal.id, ...words }).throwOnError()
      else await supabase.rpc('create_goal', { ...words, ...termsOf(values) }).throwOnError()
    },
    onSuccess: async () => {
      form.forgetDraft()
      toast.success(goal ? texts.saved : texts.created)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: goalsKey }),
        queryClient.invalidateQueries({ queryKey: ['profile'] }),
      ])
      onClose()
    },
  })
  const busy = { readOnly: save.isPending }
  return (
    <section className={classes.form} aria-labelledby="goal-title">
      <Anchor component="button" type="button" onClick={onClose} className={classes.back ?? ''}>
        <IconArrowLeft size={17} stroke={1.75} aria-hidden="true" />
        {texts.back}
      </Anchor>
      <h2 id="goal-title" className={classes.title} dir="auto">
        {goal?.title ?? texts.newTitle}
      </h2>
      <form onSubmit={form.handleSubmit((values) => save.mutateAsync(values))} noValidate>
        <Stack>
          <TextInput
            label={texts.name.label}
            required
            maxLength={goalTitleMaxLength}
            dir="auto"
            {...busy}
            {...form.getInputProps('title')}
          />
          <Textarea
            label={texts.description.label}
            description={texts.description.hint}
            rows={3}
            maxLength={goalTextMaxLength}
            dir="auto"
            {...busy}
            {...form.getInputProps('description')}
          />
          <CoverField cover={cover.cover} disabled={save.isPending} words={texts.cover} onChange={cover.choose} />
          {!goal && (
            <>
              <KindField
                value={form.values.kind}
                readOnly={save.isPending}
                onChange={(kind) => form.setFieldValue('kind', kind)}
              />
              {isMoney ? (
                <PriceInput label={texts.amount.label} required {...busy} {...form.getInputProps('amount')} />
              ) : (
                <NumberInput
                  label={texts.count.label}
                  description={texts.count.hint}
                  required
                  allowDecimal={false}
                  allowNegative={false}
                  hideControls
                  inputMode="numeric"
                  {...busy}
                  {...form.getInputProps('count')}
                />
              )}
              <TimeField label={texts.end.label} required {...busy} {...form.getInputProps('endsAt')} />
              {isMoney && (
                <Checkbox
                  label={texts.refunds.label}
                  description={texts.refunds.hint}
                  disabled={save.isPending}
                  {...form.getInputProps('refunds', { type: 'checkbox' })}
                />
              )}
              <Text size="sm" c="dimmed">
                {texts.fixed}
              </Text>
            </>
          )}
          <FormFoot
            submit={goal ? texts.save : texts.create}
            pending={save.isPending}
            failed={texts.failed}
            error={save.error}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </section>
  )
}

type KindProps = { value: Goal['kind']; readOnly: boolean; onChange: (kind: Goal['kind']) => void }

function KindField(props: KindProps) {
  const id = useId()
  return (
    <Input.Wrapper label={texts.kind.label} labelElement="div" labelProps={{ id }}>
      <div>
        <Segments
          aria-labelledby={id}
          data={[
            { value: 'money', label: texts.kind.money },
            { value: 'subscribers', label: texts.kind.subscribers },
          ]}
          {...props}
        />
      </div>
    </Input.Wrapper>
  )
}

/** What fans rely on. */
function termsOf({ kind, amount, count, endsAt, refunds }: Values) {
  const end = fromLocalInput(endsAt)?.toISOString() ?? ''
  return kind === 'money'
    ? { kind, target: centsOf(amount), ends_at: end, refunds_if_missed: refunds }
    : { kind, target: Number(count), ends_at: end }
}

const isCount = (value: number | string): boolean =>
  value !== '' && Number.isInteger(Number(value)) && Number(value) >= 1 && Number(value) <= goalMaxSubscribers

function wrongWithAmount(amount: number | string): string | null {
  const cents = centsOf(amount)
  if (amount === '' || Number.isNaN(cents) || cents < goalMinCents) return texts.amount.low
  return cents > goalMaxCents ? texts.amount.high : null
}

function wrongWithEnd(value: string, withRefunds: boolean): string | null {
  const until = (fromLocalInput(value)?.getTime() ?? 0) - Date.now()
  if (until < 3_600_000) return texts.end.soon
  if (withRefunds && until > goalRefundMaxDays * dayMs) return texts.end.farWithRefunds
  return until > goalMaxDays * dayMs ? texts.end.far : null
}
