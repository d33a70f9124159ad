import { Anchor, Checkbox, Group, NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import {
  ppvMinPriceCents,
  priceMaxCents,
  productDiscountMaxPercent,
  productStockMax,
  productTextMaxLength,
  productTitleMaxLength,
  productVersionNoteMaxLength,
} from '@ovation/contract/limits'
import { productTexts } from '@ovation/contract/texts/products'
import { IconArrowLeft } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CoverField } from '../../domain/posts/cover-field.tsx'
import { useCover } from '../../domain/posts/use-cover.ts'
import { type ProductPage, productsKey } from '../../domain/products/queries.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useLeavingWarning } from '../../lib/browser/use-leaving-warning.ts'
import { centsOf } from '../../lib/format/cents-of.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { PriceInput } from '../../ui/price-input.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { DeleteButton, StatusButton } from './product-actions.tsx'
import { ProductFilesField } from './product-files-field.tsx'
import classes from './products-tab.module.css'
import { useProductFiles } from './use-product-files.ts'

const texts = productTexts.form

type Values = {
  title: string
  description: string
  price: number | string
  takesMore: boolean
  discount: number | string
  stock: number | string
  note: string
}
const blank: Values = { title: '', description: '', price: '', takesMore: false, discount: '', stock: '', note: '' }
const valuesOf = (product: ProductPage): Values => ({
  title: product.title,
  description: product.description ?? '',
  price: product.price_cents / 100,
  takesMore: product.takes_more,
  discount: product.subscriber_percent_off || '',
  stock: product.stock ?? '',
  note: '',
})

type Props = { profileId: string; product?: ProductPage; onClose: () => void }

/** A new product, or one that the creator changes (OFFER-05). */
export default function ProductForm({ profileId, product, onClose }: Props) {
  const queryClient = useQueryClient()
  const userId = useViewer()?.userId ?? ''
  const files = useProductFiles(userId, product)
  const cover = useCover(userId, product?.cover_path ?? null)
  const [isTooEarly, setTooEarly] = useState(false)
  useLeavingWarning(files.isBusy)
  const form = useAppForm<Values>({
    initialValues: product ? valuesOf(product) : blank,
    validate: {
      title: (value) => (value.trim() ? null : texts.name.missing),
      price: wrongWithPrice,
      discount: (value) => (isWhole(value, 0, productDiscountMaxPercent) ? null : texts.discount.range),
      stock: (value) => (isWhole(value, 1, productStockMax) ? null : texts.stock.range),
    },
    draft: { key: `product:${product?.id ?? profileId}` },
  })
  const save = useMutation({
    mutationFn: async (values: Values) => {
      const coverPath = await cover.upload()
      const [description, note] = [values.description.trim(), values.note.trim()]
      const { data } = await supabase
        .rpc('save_product', {
          title: values.title.trim(),
          price_cents: centsOf(values.price),
          files: files.stored,
          takes_more: values.takesMore,
          subscriber_percent_off: Number(values.discount),
          ...(description && { description }),
          ...(coverPath && { cover_path: coverPath }),
          ...(values.stock !== '' && { stock: Number(values.stock) }),
          ...(note && { version_note: note }),
          ...(product && { product_id: product.id }),
        })
        .throwOnError()
      return data
    },
    onSuccess: async (_id, { note }) => {
      form.forgetDraft()
      toast.success(note.trim() ? texts.notified : product ? texts.saved : texts.created)
      await queryClient.invalidateQueries({ queryKey: productsKey })
      onClose()
    },
  })
  const submit = async (values: Values) => {
    setTooEarly(!files.isComplete)
    if (files.isComplete) await save.mutateAsync(values)
  }
  const busy = { readOnly: save.isPending }
  return (
    <section className={classes.form} aria-labelledby="product-title">
      <Anchor component="button" type="button" onClick={onClose} className={classes.back ?? ''}>
        <IconArrowLeft size={17} stroke={1.75} aria-hidden="true" />
        {texts.back}
      </Anchor>
      <div className={classes.formHead}>
        <h2 id="product-title" className={classes.title} dir="auto">
          {product?.title ?? texts.newTitle}
        </h2>
        {product && (
          <Group gap="xs">
            <StatusButton product={product} />
            {product.sold === 0 && <DeleteButton product={product} onDeleted={onClose} />}
          </Group>
        )}
      </div>
      <form onSubmit={form.handleSubmit(submit)} noValidate>
        <Stack>
          <TextInput
            label={texts.name.label}
            required
            maxLength={productTitleMaxLength}
            dir="auto"
            {...busy}
            {...form.getInputProps('title')}
          />
          <Textarea
            label={texts.description.label}
            description={texts.description.hint}
            rows={5}
            maxLength={productTextMaxLength}
            dir="auto"
            {...busy}
            {...form.getInputProps('description')}
          />
          <CoverField cover={cover.cover} disabled={save.isPending} words={texts.cover} onChange={cover.choose} />
          <ProductFilesField
            files={files}
            error={isTooEarly && !files.isComplete ? texts.files.wait : undefined}
            isSold={Boolean(product?.sold)}
            disabled={save.isPending}
          />
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <PriceInput label={texts.price.label} required {...below} {...busy} {...form.getInputProps('price')} />
            <NumberInput
              label={texts.discount.label}
              description={texts.discount.hint}
              {...whole}
              {...below}
              {...busy}
              {...form.getInputProps('discount')}
            />
            <NumberInput
              label={texts.stock.label}
              description={texts.stock.hint}
              {...whole}
              {...below}
              {...busy}
              {...form.getInputProps('stock')}
            />
          </SimpleGrid>
          <Checkbox
            label={texts.takesMore}
            disabled={save.isPending}
            {...form.getInputProps('takesMore', { type: 'checkbox' })}
          />
          {product && product.status !== 'draft' && (
            <Textarea
              label={texts.note.label}
              description={texts.note.hint}
              rows={3}
              maxLength={productVersionNoteMaxLength}
              dir="auto"
              {...busy}
              {...form.getInputProps('note')}
            />
          )}
          <FormFoot
            submit={product ? texts.save : texts.create}
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

/** The fields are side by side, and their hints differ in length. */
const below: { inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] } = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
}
const whole = { allowDecimal: false, allowNegative: false, hideControls: true, inputMode: 'numeric' } as const

/** An empty field means none. */
const isWhole = (value: number | string, min: number, max: number): boolean =>
  value === '' || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max)

function wrongWithPrice(price: number | string): string | null {
  const cents = centsOf(price)
  if (price === '' || Number.isNaN(cents) || cents < ppvMinPriceCents) return texts.price.low
  return cents > priceMaxCents ? texts.price.high : null
}
