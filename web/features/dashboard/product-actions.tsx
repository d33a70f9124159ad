import { Button } from '@mantine/core'
import { productTexts } from '@ovation/contract/texts/products'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ProductCard, productsKey } from '../../domain/products/queries.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'

type Props = { product: Pick<ProductCard, 'id' | 'title' | 'status'> }

/** Puts a product up for sale, or stops selling it. */
export function StatusButton({ product: { id, title, status } }: Props) {
  const texts = productTexts.tab
  const queryClient = useQueryClient()
  const isForSale = status === 'published'
  const change = useMutation({
    mutationFn: async () => {
      const next = isForSale ? 'archived' : 'published'
      await supabase.rpc('set_product_status', { product_id: id, status: next }).throwOnError()
    },
    onSuccess: () => {
      toast.success(isForSale ? texts.archived : texts.published)
      return queryClient.invalidateQueries({ queryKey: productsKey })
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.statusFailed),
  })
  return (
    <Button
      variant="default"
      size="sm"
      loading={change.isPending}
      aria-label={isForSale ? texts.archiveNamed(title) : texts.publishNamed(title)}
      onClick={() => change.mutate()}
    >
      {isForSale ? texts.archive : texts.publish}
    </Button>
  )
}

/** Deletes a product that nobody has bought. */
export function DeleteButton({ product: { id, title }, onDeleted }: Props & { onDeleted: () => void }) {
  const texts = productTexts.form.delete
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: async () => {
      await supabase.rpc('delete_product', { product_id: id }).throwOnError()
    },
    onSuccess: () => {
      toast.success(texts.done)
      onDeleted()
      return queryClient.invalidateQueries({ queryKey: [...productsKey, 'of'] })
    },
    onError: (error) => {
      toast.error(errorMessageOf(error), texts.failed)
      setAsking(false)
    },
  })
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setAsking(true)}>
        {texts.action}
      </Button>
      {asking && (
        <ConfirmDialog
          title={texts.title(title)}
          message={texts.message}
          confirmLabel={texts.confirm}
          pending={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
