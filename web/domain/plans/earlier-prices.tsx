import { Button, Text } from '@mantine/core'
import { priceLockTexts } from '@ovation/contract/texts/price-lock'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { type EarlierPrices, earlierPricesKey, type Product } from './queries.ts'

const { earlier, moving, move: texts } = priceLockTexts

/** The subscribers who pay an earlier price, and moving them to the present one (OFFER-08). */
export function EarlierPricesOf({ product, prices }: { product: Product; prices: EarlierPrices }) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const move = useMutation({
    mutationFn: async () => (await supabase.rpc('move_subscribers', { plan_id: product.id }).throwOnError()).data,
    onSuccess: async (count) => {
      await queryClient.invalidateQueries({ queryKey: earlierPricesKey })
      toast.success(texts.moved(count))
      setAsking(false)
    },
    onError: (error) => {
      toast.error(error.message, texts.failed)
      setAsking(false)
    },
  })
  return (
    <>
      {prices.moving > 0 && (
        <Text size="sm">{moving(prices.moving, prices.moves_at && formatDate(prices.moves_at))}</Text>
      )}
      {prices.subscribers > 0 && (
        <Text size="sm" component="div">
          {earlier(prices.subscribers)}{' '}
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => setAsking(true)}
            aria-label={texts.named(product.name)}
          >
            {texts.open}
          </Button>
        </Text>
      )}
      {asking && (
        <ConfirmDialog
          title={texts.title(product.name)}
          message={texts.message(formatCents(product.price_cents))}
          confirmLabel={texts.confirm}
          primary
          pending={move.isPending}
          onConfirm={() => move.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
