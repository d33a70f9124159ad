import { productTexts } from '@ovation/contract/texts/products'
import { formatCents } from '../../lib/format/format-number.ts'
import classes from './products.module.css'
import type { ProductCard } from './queries.ts'

const texts = productTexts.page

type Props = { product: Pick<ProductCard, 'price_cents' | 'your_price_cents' | 'takes_more'> }

/** What the viewer pays. A subscriber also sees the regular price, struck through. */
export function ProductPrice({ product: { price_cents, your_price_cents, takes_more } }: Props) {
  const price = formatCents(your_price_cents)
  return (
    <span className={classes.price}>
      <span>{takes_more ? texts.from(price) : price}</span>
      {your_price_cents < price_cents && (
        <s className={classes.regular}>
          <span className="visually-hidden">{texts.instead} </span>
          {formatCents(price_cents)}
        </s>
      )}
    </span>
  )
}
