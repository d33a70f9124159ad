import { Badge } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { productTexts } from '@ovation/contract/texts/products'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { LoadMore } from '../../ui/load-more.tsx'
import { ProductCover } from './product-cover.tsx'
import { ProductPrice } from './product-price.tsx'
import classes from './products.module.css'
import { creatorProductsQuery, type ProductCard } from './queries.ts'

const texts = productTexts.profile

/** On the profile, below the plans: what the creator sells (OFFER-05). Renders nothing if there is nothing. */
export default function ProfileProducts({ creatorId }: { creatorId: string }) {
  const products = useInfiniteQuery(creatorProductsQuery(creatorId))
  const shown = products.data?.pages.flat().filter(({ status }) => status === 'published') ?? []
  if (shown.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="products-title">
      <h2 id="products-title" className={classes.heading}>
        {texts.title}
      </h2>
      <ul className={classes.grid}>
        {shown.map((product) => (
          <Card key={product.id} product={product} />
        ))}
      </ul>
      <LoadMore of={products} failure={texts.moreFailed} />
    </section>
  )
}

function Card({ product }: { product: ProductCard }) {
  return (
    <li className={`surface ${classes.card}`}>
      <ProductCover path={product.cover_path} />
      <div className={classes.words}>
        <h3 className={classes.name} dir="auto">
          <Link to={paths.product(product.id)} className={classes.link}>
            {product.title}
          </Link>
        </h3>
        <p className={classes.facts}>
          {product.is_bought ? (
            <Badge variant="light" color="teal">
              {productTexts.owned}
            </Badge>
          ) : (
            <ProductPrice product={product} />
          )}
          {product.stock_left !== null && !product.is_bought && (
            <span>
              {product.stock_left === 0 ? productTexts.page.soldOut : productTexts.page.left(product.stock_left)}
            </span>
          )}
        </p>
      </div>
    </li>
  )
}
