import { Alert, Anchor, Badge, Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { productTexts } from '@ovation/contract/texts/products'
import { IconArrowLeft, IconPackage, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ProductCover } from '../../domain/products/product-cover.tsx'
import { ProductPrice } from '../../domain/products/product-price.tsx'
import {
  creatorProductsQuery,
  type ProductCard,
  type ProductPage,
  productQuery,
} from '../../domain/products/queries.ts'
import { isId } from '../../lib/api/is-id.ts'
import { formatBytes } from '../../lib/format/format-number.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { DeleteButton, StatusButton } from './product-actions.tsx'
import classes from './products-tab.module.css'

const ProductForm = lazy(() => import('./product-form.tsx'))

const texts = productTexts.tab
const colors = { draft: 'gray', published: 'teal', archived: 'yellow', takenDown: 'red' } as const

/** What the creator sells (OFFER-05): all products, or the form of the one that is open. */
export default function ProductsTab({ profileId }: { profileId: string }) {
  const [parameters, setParameters] = useSearchParams()
  const requested = parameters.get('product')
  const close = () => setParameters({ tab: 'products' })
  if (requested !== 'new' && !(requested && isId(requested))) return <Products profileId={profileId} />
  return (
    <Suspense fallback={<ListSkeleton rows={3} />}>
      {requested === 'new' ? (
        <ProductForm profileId={profileId} onClose={close} />
      ) : (
        <Editor profileId={profileId} id={requested} onClose={close} />
      )}
    </Suspense>
  )
}

function Editor({ profileId, id, onClose }: { profileId: string; id: string; onClose: () => void }) {
  const product = useQuery(productQuery(id))
  if (product.isError && !product.data) return <LoadFailed title={texts.loadFailed} of={product} />
  if (product.isPending) return <ListSkeleton rows={3} />
  if (!product.data?.is_own) return <EmptyState {...productTexts.page.notFound} />
  if (product.data.taken_down_at) return <TakenDown product={product.data} onClose={onClose} />
  return <ProductForm key={id} profileId={profileId} product={product.data} onClose={onClose} />
}

/** In the form's place: nothing of the product can change, but it can be deleted if nobody has bought it. */
function TakenDown({ product, onClose }: { product: ProductPage; onClose: () => void }) {
  return (
    <section aria-labelledby="product-title">
      <Anchor component={Link} to="?tab=products" size="sm" className={classes.back}>
        <IconArrowLeft size={16} stroke={1.75} aria-hidden="true" />
        {productTexts.form.back}
      </Anchor>
      <h2 id="product-title" className={classes.title} dir="auto">
        {product.title}
      </h2>
      <Alert color="red" my="md">
        {productTexts.form.takenDown}
      </Alert>
      {product.sold === 0 && <DeleteButton product={product} onDeleted={onClose} />}
    </section>
  )
}

function Products({ profileId }: { profileId: string }) {
  const products = useInfiniteQuery(creatorProductsQuery(profileId))
  const rows = products.data?.pages.flat()
  const create = (
    <Button
      component={Link}
      to="?tab=products&product=new"
      leftSection={<IconPlus size={17} stroke={1.9} aria-hidden="true" />}
    >
      {texts.create}
    </Button>
  )
  return (
    <section aria-labelledby="products-title">
      <div className={classes.head}>
        <div className={classes.about}>
          <h2 id="products-title" className={classes.title}>
            {texts.title}
          </h2>
          <p className={classes.hint}>{texts.hint}</p>
        </div>
        {Boolean(rows?.length) && create}
      </div>
      <PagedList
        query={products}
        rows={rows}
        pending={<ListSkeleton rows={3} />}
        failed={{ title: texts.loadFailed }}
        moreFailed={texts.moreFailed}
        empty={<EmptyState icon={<IconPackage size={26} stroke={1.5} />} {...texts.empty} action={create} />}
      >
        {(all, more) => (
          <>
            <ul className={classes.products}>
              {all.map((product) => (
                <Row key={product.id} product={product} />
              ))}
            </ul>
            {more}
          </>
        )}
      </PagedList>
    </section>
  )
}

function Row({ product }: { product: ProductCard }) {
  const { id, title, cover_path, sold, stock_left, file_count, size_bytes, taken_down_at } = product
  const status = taken_down_at ? 'takenDown' : product.status
  return (
    <li className={`surface ${classes.product}`}>
      <div className={classes.picture}>
        <ProductCover path={cover_path} />
      </div>
      <div className={classes.words}>
        <h3 className={classes.name} dir="auto">
          <Link to={`?tab=products&product=${id}`}>{title}</Link>
        </h3>
        <Badge variant="light" color={colors[status]}>
          {texts.status[status]}
        </Badge>
        <p className={`${classes.facts} facts`}>
          <ProductPrice product={product} />
          <span>
            {productTexts.page.files(file_count)}, {formatBytes(size_bytes)}
          </span>
          <span>{texts.sold(sold ?? 0)}</span>
          {stock_left !== null && !taken_down_at && (
            <span>{stock_left === 0 ? productTexts.page.soldOut : productTexts.page.left(stock_left)}</span>
          )}
        </p>
      </div>
      <div className={classes.actions}>
        <Button component={Link} to={paths.product(id)} variant="default" size="sm" aria-label={texts.viewNamed(title)}>
          {texts.view}
        </Button>
        {!taken_down_at && <StatusButton product={product} />}
      </div>
    </li>
  )
}
