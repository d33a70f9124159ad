import { Button, Group, Input, Stack, Text } from '@mantine/core'
import { termCents } from '@ovation/contract/plan-terms'
import { subscriptionProductsTexts as texts } from '@ovation/contract/texts/subscription-products'
import { centsOf } from '../../lib/format/cents-of.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { PriceInput } from '../../ui/price-input.tsx'
import { Segments } from '../../ui/segments.tsx'
import { PlanCard } from '../subscriptions/plan-card.tsx'
import classes from './creator-plans.module.css'
import { BenefitsField, ProductNameFields, TrialField } from './plan-fields.tsx'
import { benefitsOf, type ProductValues, termsBody, wrongWithTerm } from './plan-values.ts'
import { TermsField } from './terms-field.tsx'
import { useProductForm } from './use-plan-form.ts'

const formTexts = texts.form
/** PROD-07 */
const offered = (['month', 'year', 'week'] as const).map((value) => ({ value, label: formTexts.intervals[value] }))

/** The form for a new plan, with a preview of its card. */
export function ProductForm({ creatorId, isWaiting = false }: { creatorId: string; isWaiting?: boolean }) {
  const { form, submit, pending, failure } = useProductForm(creatorId, isWaiting)
  const interval = form.getInputProps('interval')
  return (
    <div className={classes.columns}>
      <form onSubmit={submit} noValidate className={`surface ${classes.form}`} aria-labelledby="new-product">
        <h2 id="new-product" className={classes.heading}>
          {formTexts.title}
        </h2>
        <Stack>
          <ProductNameFields
            name={form.getInputProps('name')}
            description={form.getInputProps('description')}
            readOnly={pending}
          />
          <BenefitsField {...form.getInputProps('benefits')} readOnly={pending} />
          <PriceInput
            label={formTexts.price.label}
            description={formTexts.price.hint}
            required
            readOnly={pending}
            {...form.getInputProps('price')}
          />
          <Input.Wrapper label={formTexts.interval} labelElement="div" id="interval" error={interval.error}>
            <Segments
              fullWidth
              aria-labelledby="interval-label"
              data={offered}
              value={form.values.interval}
              onChange={(value) => form.setFieldValue('interval', value)}
              readOnly={pending}
            />
          </Input.Wrapper>
          {form.values.interval === 'month' && (
            <TermsField form={form} cents={centsOf(form.values.price)} readOnly={pending} />
          )}
          <TrialField {...form.getInputProps('trialDays')} readOnly={pending} />
          <div>
            <FormFailure title={failure?.title} message={failure?.message} />
            <Group justify="flex-end">
              <Button type="submit" size="md" loading={pending}>
                {formTexts.submit}
              </Button>
            </Group>
          </div>
        </Stack>
      </form>
      <Preview values={form.values} />
    </div>
  )
}

/** Terms with a wrong discount are left out. */
const previewTerms = (values: ProductValues, cents: number) =>
  (values.interval === 'month' ? termsBody(values) : [])
    .filter(({ percent_off }) => wrongWithTerm(percent_off) === null)
    .map((term) => ({ ...term, price_cents: termCents(cents, term.months, term.percent_off) }))

/** Hidden from screen readers, which would read it aloud at each keystroke. */
function Preview({ values }: { values: ProductValues }) {
  const cents = centsOf(values.price)
  return (
    <aside className={classes.preview} aria-label={texts.preview.title}>
      <Text fw={550}>{texts.preview.title}</Text>
      <Text size="sm" c="dimmed" mb="md">
        {texts.preview.message}
      </Text>
      <PlanCard
        plan={{
          id: 'preview',
          name: values.name.trim() || texts.preview.name,
          description: values.description.trim() || null,
          price_cents: Number.isNaN(cents) ? 0 : cents,
          interval: values.interval,
          trial_days: Number(values.trialDays) || 0,
          benefits: benefitsOf(values.benefits),
          is_popular: false,
          terms: previewTerms(values, Number.isNaN(cents) ? 0 : cents),
          includes: null,
          opensTo: 'own',
        }}
        state="own"
        primary={false}
        onSubscribe={() => undefined}
        pending={false}
        disabled
      />
    </aside>
  )
}
