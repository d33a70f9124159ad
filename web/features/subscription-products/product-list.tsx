import { Badge, Button, Text } from '@mantine/core'
import { subscriptionProductsTexts as texts } from '@ovation/contract/texts/subscription-products'
import { PriceTag } from '../../ui/price-tag.tsx'
import classes from './products-screen.module.css'
import type { Product } from './queries.ts'

type Props = {
  products: Product[]
  /** The product that is being changed. */
  changing: string | undefined
  onToggle: (product: Product) => void
}

export function ProductList({ products, changing, onToggle }: Props) {
  return (
    <section aria-labelledby="products">
      <h2 id="products" className={classes.heading}>
        {texts.list}
      </h2>
      <ul className={classes.list}>
        {products.map((product) => (
          <ProductRow
            key={product.id}
            product={product}
            changing={changing === product.id}
            onToggle={() => onToggle(product)}
          />
        ))}
      </ul>
      <Text size="sm" c="dimmed" mt="sm">
        {texts.deactivateHint}
      </Text>
    </section>
  )
}

type RowProps = { product: Product; changing: boolean; onToggle: () => void }

function ProductRow({ product, changing, onToggle }: RowProps) {
  const { name, description, price_cents, interval, trial_days, is_active } = product
  return (
    <li className={`surface ${classes.row}`} data-inactive={!is_active || undefined}>
      <div className={classes.what}>
        <div className={classes.name}>
          <h3>{name}</h3>
          <Badge
            variant="light"
            color={is_active ? 'teal' : 'gray'}
            className={classes.badge}
            data-active={is_active || undefined}
          >
            {is_active ? texts.active : texts.inactive}
          </Badge>
          {trial_days > 0 && (
            <Badge variant="default" className={classes.badge}>
              {texts.trial(trial_days)}
            </Badge>
          )}
        </div>
        {description && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {description}
          </Text>
        )}
      </div>
      <PriceTag cents={price_cents} interval={interval} />
      <Button
        variant="default"
        size="sm"
        onClick={onToggle}
        loading={changing}
        aria-label={is_active ? texts.deactivateNamed(name) : texts.activateNamed(name)}
      >
        {is_active ? texts.deactivate : texts.activate}
      </Button>
    </li>
  )
}
