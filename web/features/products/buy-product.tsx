import { Button } from '@mantine/core'
import { priceMaxCents } from '@ovation/contract/limits'
import { productTexts } from '@ovation/contract/texts/products'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useCheckout } from '../../domain/payments/use-checkout.ts'
import { ProductPrice } from '../../domain/products/product-price.tsx'
import { type ProductPage, productsKey } from '../../domain/products/queries.ts'
import { centsOf } from '../../lib/format/cents-of.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { PriceInput } from '../../ui/price-input.tsx'
import classes from './product-screen.module.css'

const texts = productTexts.page

/** The price and the button; for a product that takes more, also the amount. */
export function BuyProduct({ product }: { product: ProductPage }) {
  const { id, price_cents, your_price_cents: least, takes_more, stock_left, subscriber_percent_off } = product
  const queryClient = useQueryClient()
  const [amount, setAmount] = useState<number | string>(least / 100)
  const [error, setError] = useState<string>()
  const checkout = useCheckout('create-payment-checkout', texts.paymentFailed, {
    onPaid: () => void queryClient.invalidateQueries({ queryKey: productsKey }),
    // Sold out meanwhile, or a new price: the page says what holds now.
    isHandled: () => {
      void queryClient.invalidateQueries({ queryKey: productsKey })
      return false
    },
  })
  const cents = takes_more ? centsOf(amount) : least
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = wrongWith(amount === '' ? Number.NaN : cents, least)
    setError(wrong)
    if (!wrong) checkout.start({ kind: 'product', targetId: id, ...(takes_more && { amountCents: cents }) })
  }
  const isSoldOut = stock_left === 0
  const isDiscounted = least < price_cents
  return (
    <form className={`surface ${classes.buy}`} onSubmit={submit} noValidate>
      <div className={classes.offer}>
        <ProductPrice product={product} />
        {isDiscounted && <span className={classes.hint}>{texts.subscriberPrice}</span>}
        {!isDiscounted && subscriber_percent_off > 0 && (
          <span className={classes.hint}>{texts.subscribersPay(subscriber_percent_off)}</span>
        )}
        {stock_left !== null && !isSoldOut && <span className={classes.hint}>{texts.left(stock_left)}</span>}
      </div>
      {takes_more && !isSoldOut && (
        <PriceInput
          label={texts.amount}
          description={texts.amountHint(formatCents(least))}
          value={amount}
          onChange={(value) => {
            setAmount(value)
            setError(undefined)
          }}
          error={error}
          className={classes.amount ?? ''}
        />
      )}
      <Button type="submit" size="md" disabled={isSoldOut} loading={checkout.pending !== undefined}>
        {isSoldOut ? texts.soldOut : texts.buy(formatCents(Number.isNaN(cents) || cents < least ? least : cents))}
      </Button>
    </form>
  )
}

function wrongWith(cents: number, least: number): string | undefined {
  if (Number.isNaN(cents) || cents < least) return texts.amountTooLow(formatCents(least))
  return cents > priceMaxCents ? texts.amountTooHigh : undefined
}
