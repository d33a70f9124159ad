import { subscriptionProductsTexts as texts } from '@ovation/contract/texts/subscription-products'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callFunction, FunctionFailure } from '../../lib/api/functions.ts'
import { centsOf } from '../../lib/format/cents-of.ts'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import {
  editableBody,
  fieldOf,
  noTerms,
  type ProductValues,
  termRules,
  termsBody,
  wrongWithBenefits,
  wrongWithName,
  wrongWithPrice,
  wrongWithTrial,
} from './plan-values.ts'
import { refreshPlans } from './refresh-plans.ts'

const { errors } = texts

/** PROD-02..PROD-07, PROD-11, PROD-12, LOOP-15, OFFER-01 */
export function useProductForm(creatorId: string, isWaiting: boolean) {
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<{ title?: string; message: string }>()
  const [attempted, setAttempted] = useState(false)
  const [pending, setPending] = useState(false)
  const form = useAppForm<ProductValues>({
    initialValues: { name: '', description: '', price: '', interval: 'month', trialDays: 0, benefits: '', ...noTerms },
    validate: {
      name: wrongWithName,
      price: wrongWithPrice,
      trialDays: wrongWithTrial,
      benefits: wrongWithBenefits,
      ...termRules,
    },
    draft: { key: `product:${creatorId}` },
  })

  const create = async (values: ProductValues) => {
    const body = editableBody(values)
    const { price, interval } = values
    const terms = interval === 'month' ? termsBody(values) : []
    const sold = { price_cents: centsOf(price), interval, ...(terms.length > 0 && { terms }) }
    await callFunction('create-subscription-product', { ...body, ...sold })
    toast.success(isWaiting ? texts.prepared(body.name) : texts.created(body.name))
    form.forgetDraft()
    form.reset()
    setAttempted(false)
    await refreshPlans(queryClient, creatorId)
  }

  const explain = (error: unknown) => {
    const refusal = error instanceof FunctionFailure && error.answered ? error.refusal : undefined
    const field = fieldOf[refusal?.field ?? '']
    if (field) form.showError(field, refusal?.error ?? texts.functionFailed)
    setFailure({ title: texts.createFailed, message: refusal?.error ?? texts.functionFailed })
  }

  const send = form.handleSubmit(async (values) => {
    setPending(true)
    await create(values).catch(explain)
    setPending(false)
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    setFailure(undefined)
    setAttempted(true)
    send(event)
  }
  const { name, price } = form.values
  const gaps: { title?: string; message: string } | undefined =
    attempted && (!name.trim() || price === '') ? { message: errors.required } : undefined
  return { form, submit, pending, failure: failure ?? gaps }
}
