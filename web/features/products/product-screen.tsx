import { Alert, Anchor, Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { productTitle } from '@ovation/contract/texts/page-titles'
import { productTexts } from '@ovation/contract/texts/products'
import { IconPackageOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'react-router'
import { Returning } from '../../domain/payments/returning.tsx'
import { ProductCover } from '../../domain/products/product-cover.tsx'
import { type ProductPage, productQuery } from '../../domain/products/queries.ts'
import { countPageView } from '../../lib/api/count-page-view.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { BuyProduct } from './buy-product.tsx'
import { ProductFiles } from './product-files.tsx'
import { ProductMenu } from './product-menu.tsx'
import classes from './product-screen.module.css'

const texts = productTexts.page

/** `/product/:id`: what a creator sells, for its creator, its buyers, and everyone who may buy it (OFFER-05). */
export function ProductScreen() {
  const { id = '' } = useParams()
  const product = useQuery(productQuery(id))
  if (product.data) return <OneProduct product={product.data} />
  return (
    <Page title={texts.title} heading={null}>
      {product.isPending && <ListSkeleton rows={2} shape="card" />}
      {product.isError && <LoadFailed order={1} title={texts.loadFailed} of={product} />}
      {product.isSuccess && (
        <>
          <Returning />
          <EmptyState
            order={1}
            icon={<IconPackageOff size={26} stroke={1.5} />}
            {...texts.notFound}
            action={
              <Button component={Link} to={paths.explore} variant="default">
                {texts.explore}
              </Button>
            }
          />
        </>
      )}
    </Page>
  )
}

function OneProduct({ product }: { product: ProductPage }) {
  const creator = product.creator_name || product.creator_username
  const isTheirs = product.is_own || product.bought_at !== null
  const isKnown = useViewer() !== undefined
  useEffect(() => {
    if (isKnown && !product.is_own) countPageView('product', product.id)
  }, [isKnown, product.is_own, product.id])
  return (
    <Page title={productTitle(product.title, creator)} heading={null}>
      <Returning />
      <article className={classes.product}>
        {product.cover_path && <ProductCover path={product.cover_path} large />}
        <div className={classes.head}>
          <h1 className={classes.title} dir="auto">
            {product.title}
          </h1>
          <ProductMenu product={product} />
        </div>
        <p className={classes.by}>
          {texts.by}{' '}
          <Anchor component={Link} to={paths.profile(product.creator_username)} dir="auto">
            {creator}
          </Anchor>
        </p>
        {product.is_own ? (
          <OwnNote product={product} />
        ) : isTheirs ? (
          <Bought product={product} />
        ) : product.status === 'published' ? (
          <BuyProduct product={product} />
        ) : (
          <Alert color="gray" className={classes.note}>
            {product.taken_down_at ? texts.takenDown : texts.archived}
          </Alert>
        )}
        {product.description && (
          <div className={classes.description} dir="auto">
            <LinkedText text={product.description} />
          </div>
        )}
        {product.version_at && isTheirs && (
          <section className={classes.version}>
            <h2>{texts.version(product.version, formatDate(product.version_at))}</h2>
            <p dir="auto">{product.version_note}</p>
          </section>
        )}
        <ProductFiles files={product.files} />
      </article>
    </Page>
  )
}

function OwnNote({ product: { id, status, taken_down_at } }: { product: ProductPage }) {
  if (taken_down_at)
    return (
      <Alert color="red" className={classes.note}>
        {texts.takenDown}
      </Alert>
    )
  return (
    <Alert color="gray" className={classes.note}>
      <div className={classes.noteRow}>
        <span>{status === 'published' ? texts.own : status === 'draft' ? texts.ownDraft : texts.archived}</span>
        <Button component={Link} to={`${paths.dashboard}?tab=products&product=${id}`} variant="default" size="sm">
          {texts.edit}
        </Button>
      </div>
    </Alert>
  )
}

function Bought({ product: { bought_at } }: { product: ProductPage }) {
  return (
    <Alert color="teal" className={classes.note}>
      <div className={classes.noteRow}>
        <span>{texts.bought(formatDate(bought_at ?? ''))}</span>
        <Button component={Link} to={paths.library} variant="default" size="sm">
          {texts.library}
        </Button>
      </div>
    </Alert>
  )
}
