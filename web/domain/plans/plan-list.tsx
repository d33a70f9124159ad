import { Badge, Button, Text } from '@mantine/core'
import { planTermsTexts } from '@ovation/contract/texts/plan-terms'
import { priceLockTexts } from '@ovation/contract/texts/price-lock'
import { subscriptionProductsTexts as texts } from '@ovation/contract/texts/subscription-products'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { formatCents, pluralize } from '../../lib/format/format-number.ts'
import { PriceTag } from '../../ui/price-tag.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import classes from './creator-plans.module.css'
import { EarlierPricesOf } from './earlier-prices.tsx'
import { type EarlierPrices, earlierPricesQuery, type Product, planSubscribersQuery } from './queries.ts'
import { TieredAccessSwitch } from './tiered-access-switch.tsx'

const ChangePrice = lazy(() => import('./change-price.tsx'))
const EditProduct = lazy(() => import('./edit-plan.tsx'))
const PlanOrder = lazy(() => import('./plan-order.tsx'))

type Props = {
  creatorId: string
  /** Before the approval, plans can't be opened (LOOP-08). */
  isWaiting: boolean
  products: Product[]
  /** The plan being changed. */
  changing: string | undefined
  onToggle: (product: Product) => void
}

export function ProductList({ creatorId, isWaiting, products, changing, onToggle }: Props) {
  // Separate from the list, so that plans show before their subscribers are counted.
  const subscribers = useQuery(planSubscribersQuery(creatorId))
  const earlierPrices = useQuery(earlierPricesQuery(creatorId))
  const [editing, setEditing] = useState<Product>()
  const [pricing, setPricing] = useState<Product>()
  const [ordering, setOrdering] = useState(false)
  return (
    <section {...useKeptFocus<HTMLElement>()} aria-labelledby="products">
      <h2 id="products" className={classes.heading}>
        {texts.list}
      </h2>
      <ul className={classes.list}>
        {products.map((product) => (
          <ProductRow
            key={product.id}
            product={product}
            subscribers={subscribers.data?.get(product.id)}
            earlierPrices={earlierPrices.data?.get(product.id)}
            isWaiting={isWaiting}
            onEdit={() => setEditing(product)}
            onChangePrice={() => setPricing(product)}
            changing={changing === product.id}
            onToggle={() => onToggle(product)}
          />
        ))}
      </ul>
      {!isWaiting && (
        <Text size="sm" c="dimmed" mt="sm">
          {texts.deactivateHint}
        </Text>
      )}
      {products.length > 1 && (
        <>
          <Button variant="default" size="sm" mt="md" onClick={() => setOrdering(true)}>
            {texts.order.open}
          </Button>
          <TieredAccessSwitch creatorId={creatorId} />
        </>
      )}
      {ordering && (
        <Suspense>
          <PlanOrder creatorId={creatorId} products={products} onClose={() => setOrdering(false)} />
        </Suspense>
      )}
      {pricing && (
        <Suspense>
          <ChangePrice product={pricing} creatorId={creatorId} onClose={() => setPricing(undefined)} />
        </Suspense>
      )}
      {editing && (
        <Suspense>
          <EditProduct product={editing} creatorId={creatorId} onClose={() => setEditing(undefined)} />
        </Suspense>
      )}
    </section>
  )
}

const describeTerm = ({ months, percent_off, price_cents }: Product['terms'][number]): string =>
  `${planTermsTexts.billed(formatCents(price_cents), months)}${percent_off > 0 ? ` (−${percent_off}%)` : ''}`

type RowProps = {
  product: Product
  subscribers: number | undefined
  earlierPrices: EarlierPrices | undefined
  isWaiting: boolean
  changing: boolean
  onEdit: () => void
  onChangePrice: () => void
  onToggle: () => void
}

function ProductRow({ product, subscribers, isWaiting, changing, ...row }: RowProps) {
  const { earlierPrices, onEdit, onChangePrice, onToggle } = row
  const { name, description, price_cents, interval, terms, trial_days, is_active, is_popular } = product
  return (
    <li className={`surface ${classes.row}`} data-inactive={!is_active || undefined}>
      <div className={classes.what}>
        <div className={classes.name}>
          <h3>
            <bdi>{name}</bdi>
          </h3>
          <Badge
            variant="light"
            color={is_active ? 'teal' : 'gray'}
            className={classes.badge}
            data-active={is_active || undefined}
          >
            {is_active ? texts.active : isWaiting ? texts.waiting.label : texts.inactive}
          </Badge>
          {is_popular && is_active && <Badge variant="light">{texts.popular}</Badge>}
          {trial_days > 0 && <Badge variant="default">{texts.trial(trial_days)}</Badge>}
        </div>
        {description && (
          <Text size="sm" c="dimmed" lineClamp={2} dir="auto">
            {description}
          </Text>
        )}
        {terms.length > 0 && (
          <Text size="sm" c="dimmed">
            {terms.map(describeTerm).join(' · ')}
          </Text>
        )}
        {subscribers !== undefined && <Text size="sm">{pluralize(subscribers, texts.subscriber)}</Text>}
        {earlierPrices && <EarlierPricesOf product={product} prices={earlierPrices} />}
      </div>
      <PriceTag cents={price_cents} interval={interval} />
      <div className={classes.actions}>
        <Button variant="default" size="sm" onClick={onEdit} aria-label={texts.edit.named(name)}>
          {texts.edit.open}
        </Button>
        <Button variant="default" size="sm" onClick={onChangePrice} aria-label={priceLockTexts.change.named(name)}>
          {priceLockTexts.change.open}
        </Button>
        {!isWaiting && (
          <Button
            variant="default"
            size="sm"
            onClick={onToggle}
            loading={changing}
            aria-label={is_active ? texts.deactivateNamed(name) : texts.activateNamed(name)}
          >
            {is_active ? texts.deactivate : texts.activate}
          </Button>
        )}
      </div>
    </li>
  )
}
