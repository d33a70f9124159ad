import { Stack, Switch, Text } from '@mantine/core'
import { subscriptionProductsTexts } from '@ovation/contract/texts/subscription-products'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callFunction, FunctionFailure } from '../../lib/api/functions.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { BenefitsField, ProductNameFields, TrialField } from './plan-fields.tsx'
import {
  editableBody,
  fieldOf,
  termRules,
  termsBody,
  termValuesOf,
  wrongWithBenefits,
  wrongWithName,
  wrongWithTrial,
} from './plan-values.ts'
import type { Product } from './queries.ts'
import { refreshPlans } from './refresh-plans.ts'
import { TermsField } from './terms-field.tsx'

const texts = subscriptionProductsTexts.edit

type Props = { product: Product; creatorId: string; onClose: () => void }

/**
 * Edits a plan's words, benefits, trial, and mark. Price and interval are fixed, because subscribers agreed to them: a new price needs a new
 * plan.
 */
export default function EditProduct({ product, creatorId, onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useAppForm({
    initialValues: {
      name: product.name,
      description: product.description ?? '',
      trialDays: product.trial_days as number | string,
      benefits: product.benefits.join('\n'),
      popular: product.is_popular,
      ...termValuesOf(product.terms),
    },
    validate: { name: wrongWithName, trialDays: wrongWithTrial, benefits: wrongWithBenefits, ...termRules },
    draft: { key: `edit-product:${product.id}` },
  })
  const close = () => {
    form.forgetDraft()
    onClose()
  }
  const save = useMutation({
    mutationFn: async (values: typeof form.values) => {
      const terms = product.interval === 'month' ? termsBody(values) : []
      await callFunction('update-subscription-product', { id: product.id, ...editableBody(values), terms })
      if (values.popular !== product.is_popular)
        // Without a plan, the mark is removed.
        await supabase.rpc('mark_popular_plan', values.popular ? { plan_id: product.id } : {}).throwOnError()
    },
    onSuccess: () => {
      toast.success(texts.saved)
      close()
      return refreshPlans(queryClient, creatorId)
    },
    onError: (error) => {
      const field = error instanceof FunctionFailure ? fieldOf[error.refusal.field ?? ''] : undefined
      if (field && field in form.values) form.showError(field as keyof typeof form.values, error.message)
    },
  })
  return (
    <Dialog title={texts.title} onClose={close} closable={!save.isPending} fullScreenOnPhone>
      <form onSubmit={form.handleSubmit((values) => save.mutateAsync(values))} noValidate>
        <Stack>
          <ProductNameFields
            name={form.getInputProps('name')}
            description={form.getInputProps('description')}
            readOnly={save.isPending}
          />
          <BenefitsField {...form.getInputProps('benefits')} readOnly={save.isPending} />
          {product.interval === 'month' && (
            <TermsField form={form} cents={product.price_cents} readOnly={save.isPending} />
          )}
          <TrialField {...form.getInputProps('trialDays')} readOnly={save.isPending} />
          {product.is_active && (
            <Switch
              label={texts.popular.label}
              description={texts.popular.hint}
              disabled={save.isPending}
              {...form.getInputProps('popular', { type: 'checkbox' })}
            />
          )}
          <Text size="sm" c="dimmed">
            {texts.hint}
          </Text>
          <FormFoot
            submit={texts.save}
            pending={save.isPending}
            failed={subscriptionProductsTexts.changeFailed}
            error={save.error}
            onCancel={close}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
