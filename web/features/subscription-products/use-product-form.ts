import { type Interval, priceMaxCents, productMinPriceCents, trialMaxDays } from '@ovation/contract/limits'
import { subscriptionProductsTexts as texts } from '@ovation/contract/texts/subscription-products'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { callFunction, FunctionFailure } from '../../lib/functions.ts'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { productsQuery } from './queries.ts'

const { errors } = texts

export type ProductValues = {
  name: string
  description: string
  /** Dollars; empty, or text that is no number yet, while it is typed. */
  price: number | string
  interval: Interval
  trialDays: number | string
}

/** PROD-06: a float of dollars is never added up, only turned into cents. */
export const centsOf = (price: number | string): number => Math.round(Number(price) * 100)

/** The names of the function's body, and the fields that hold them. */
const fieldOf: Readonly<Record<string, keyof ProductValues>> = {
  name: 'name',
  description: 'description',
  price_cents: 'price',
  interval: 'interval',
  trial_days: 'trialDays',
}

/** PROD-02..PROD-07, PROD-11, PROD-12 */
export function useProductForm(creatorId: string) {
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<{ title?: string; message: string }>()
  const [attempted, setAttempted] = useState(false)
  const [pending, setPending] = useState(false)
  const form = useAppForm<ProductValues>({
    initialValues: { name: '', description: '', price: '', interval: 'month', trialDays: 0 },
    validate: {
      name: (value) => (value.trim() ? null : errors.name),
      price: wrongWithPrice,
      trialDays: wrongWithTrial,
    },
    draft: { key: `product:${creatorId}` },
  })

  const create = async ({ name, description, price, interval, trialDays }: ProductValues) => {
    await callFunction('create-subscription-product', {
      name: name.trim(),
      // PROD-04: absent, not empty.
      ...(description.trim() && { description: description.trim() }),
      price_cents: centsOf(price),
      interval,
      trial_days: Number(trialDays),
    })
    toast.success(texts.created(name.trim()))
    form.forgetDraft()
    form.reset()
    setAttempted(false)
    await queryClient.invalidateQueries({ queryKey: productsQuery(creatorId).queryKey })
  }

  const explain = (error: unknown) => {
    const refusal = error instanceof FunctionFailure && error.answered ? error.refusal : undefined
    const field = fieldOf[refusal?.field ?? '']
    if (field) form.setFieldError(field, refusal?.error)
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

function wrongWithPrice(price: number | string): string | null {
  const cents = centsOf(price)
  if (price === '' || Number.isNaN(cents)) return errors.price
  if (cents < productMinPriceCents) return errors.priceLow
  return cents > priceMaxCents ? errors.priceHigh : null
}

function wrongWithTrial(days: number | string): string | null {
  const number = Number(days)
  return days !== '' && Number.isInteger(number) && number >= 0 && number <= trialMaxDays ? null : errors.trial
}
