import { Checkbox, Group, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import { linkNameMaxLength, linkTrialDaysMax, linkTrialLimitMax } from '@ovation/contract/limits'
import { trackingLinkTexts } from '@ovation/contract/texts/tracking-links'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { productsQuery } from '../../domain/plans/queries.ts'
import { linksKey, type TrackingLink } from '../../domain/tracking-links/queries.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { type AppForm, useAppForm } from '../../ui/use-app-form.ts'
import { ownPostTitlesQuery, productsForSaleQuery } from './post-queries.ts'

const texts = trackingLinkTexts.form

type Values = {
  name: string
  target: TrackingLink['target']
  plan: string
  post: string
  product: string
  hasTrial: boolean
  trialDays: number | string
  trialLimit: number | string
  /** As `2026-12-31`, in the viewer's time zone. */
  trialUntil: string
}
type Props = {
  viewerId: string /** The link to change; without it, the form creates one. */
  link?: TrackingLink
  onClose: () => void
}

const targets = ['profile', 'plan', 'post', 'product'] as const

/** Creates a link (LINK-01), with a free trial if it leads to a plan (LINK-03). Later, its name and who gets the trial can change. */
export default function LinkForm({ viewerId, link, onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useAppForm<Values>({
    initialValues: valuesOf(link),
    draft: { key: `link:${link?.id ?? 'new'}` },
    validate: {
      name: (value) => (value.trim() ? null : texts.errors.name),
      plan: (value, { target }) => (link || target !== 'plan' || value ? null : texts.errors.plan),
      post: (value, { target }) => (link || target !== 'post' || value ? null : texts.errors.post),
      product: (value, { target }) => (link || target !== 'product' || value ? null : texts.errors.product),
      trialDays: (value, values) =>
        !givesTrial(values) || isWhole(value, linkTrialDaysMax) ? null : texts.errors.trialDays,
      trialLimit: (value, values) =>
        !givesTrial(values) || isWhole(value, linkTrialLimitMax) ? null : texts.errors.trialLimit,
      trialUntil: (value, values) =>
        !givesTrial(values) || (value !== '' && (Boolean(link) || endOf(value) > new Date()))
          ? null
          : texts.errors.trialUntil,
    },
  })
  const save = useMutation({
    mutationFn: async (values: Values) => {
      if (link) await supabase.from('tracking_links').update(changeOf(values)).eq('id', link.id).throwOnError()
      else await supabase.from('tracking_links').insert(rowOf(values)).throwOnError()
      await queryClient.invalidateQueries({ queryKey: linksKey(viewerId) })
    },
    onSuccess: () => {
      form.forgetDraft()
      toast.success(link ? texts.saved : texts.created)
      onClose()
    },
  })
  return (
    <Dialog title={link ? texts.titleEdit : texts.title} onClose={onClose} closable={!save.isPending}>
      <form noValidate onSubmit={form.handleSubmit((values) => save.mutateAsync(values))}>
        <Stack>
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            required
            maxLength={linkNameMaxLength}
            dir="auto"
            data-autofocus
            {...form.getInputProps('name')}
          />
          {!link && <TargetFields viewerId={viewerId} form={form} />}
          {form.values.target === 'plan' && !link && (
            <Checkbox
              label={texts.trial}
              description={texts.trialHint}
              {...form.getInputProps('hasTrial', { type: 'checkbox' })}
            />
          )}
          {givesTrial(form.values) && <TrialFields form={form} isNew={!link} />}
          <FormFoot
            submit={link ? texts.save : texts.submit}
            pending={save.isPending}
            failed={texts.failed}
            error={save.error}
          />
        </Stack>
      </form>
    </Dialog>
  )
}

function TargetFields({ viewerId, form }: { viewerId: string; form: AppForm<Values> }) {
  const { target } = form.values
  const plans = useQuery({ ...productsQuery(viewerId), enabled: target === 'plan' })
  const posts = useQuery({ ...ownPostTitlesQuery(viewerId), enabled: target === 'post' })
  const products = useQuery({ ...productsForSaleQuery(viewerId), enabled: target === 'product' })
  const active = plans.data?.filter(({ is_active }) => is_active)
  return (
    <>
      <NativeSelect
        label={texts.target}
        data={targets.map((value) => ({ value, label: texts.targets[value] }))}
        {...form.getInputProps('target')}
      />
      {target === 'plan' && (
        <NativeSelect
          label={texts.plan}
          description={active?.length === 0 ? texts.noPlans : undefined}
          data={[
            { value: '', label: texts.choosePlan },
            ...(active ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...form.getInputProps('plan')}
        />
      )}
      {target === 'post' && (
        <NativeSelect
          label={texts.post}
          description={posts.data?.length === 0 ? texts.noPosts : undefined}
          data={[
            { value: '', label: texts.choosePost },
            ...(posts.data ?? []).map(({ id, title }) => ({ value: id, label: title || texts.untitled })),
          ]}
          {...form.getInputProps('post')}
        />
      )}
      {target === 'product' && (
        <NativeSelect
          label={texts.product}
          description={products.data?.length === 0 ? texts.noProducts : undefined}
          data={[
            { value: '', label: texts.chooseProduct },
            ...(products.data ?? []).map(({ id, title }) => ({ value: id, label: title })),
          ]}
          {...form.getInputProps('product')}
        />
      )}
    </>
  )
}

function TrialFields({ form, isNew }: { form: AppForm<Values>; isNew: boolean }) {
  return (
    <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
      {isNew && (
        <NumberInput
          label={texts.trialDays}
          min={1}
          max={linkTrialDaysMax}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('trialDays')}
        />
      )}
      <NumberInput
        label={texts.trialLimit}
        min={1}
        max={linkTrialLimitMax}
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('trialLimit')}
      />
      <TextInput type="date" label={texts.trialUntil} {...form.getInputProps('trialUntil')} />
    </Group>
  )
}

const givesTrial = ({ target, hasTrial }: Values): boolean => target === 'plan' && hasTrial
const isWhole = (value: number | string, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most

/** The end of a day in the viewer's time zone. */
const endOf = (day: string): Date => new Date(`${day}T23:59:59`)
const dayOf = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

const valuesOf = (link: TrackingLink | undefined): Values => ({
  name: link?.name ?? '',
  target: link?.target ?? 'profile',
  plan: '',
  post: '',
  product: '',
  hasTrial: Boolean(link?.trial_days),
  trialDays: link?.trial_days ?? 7,
  trialLimit: link?.trial_limit ?? 100,
  trialUntil: link?.trial_until ? dayOf(new Date(link.trial_until)) : dayOf(new Date(Date.now() + 30 * 86_400_000)),
})

const changeOf = (values: Values) => ({
  name: values.name.trim(),
  ...(givesTrial(values) && {
    trial_limit: Number(values.trialLimit),
    trial_until: endOf(values.trialUntil).toISOString(),
  }),
})
const rowOf = (values: Values) => ({
  ...changeOf(values),
  target: values.target,
  ...(values.target === 'plan' && { plan_id: values.plan }),
  ...(values.target === 'post' && { post_id: values.post }),
  ...(values.target === 'product' && { product_id: values.product }),
  ...(givesTrial(values) && { trial_days: Number(values.trialDays) }),
})
