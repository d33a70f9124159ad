import { IconPackage } from '@tabler/icons-react'
import { postCover } from '../../lib/media/public-image.ts'
import classes from './products.module.css'

/** The picture of a product, or a sign in its place. */
export function ProductCover({ path, large = false }: { path: string | null; large?: boolean }) {
  return (
    <span className={classes.cover} data-large={large || undefined} aria-hidden="true">
      {path ? (
        <img src={postCover(path, large ? 1280 : 640)} alt="" loading={large ? 'eager' : 'lazy'} />
      ) : (
        <IconPackage size={large ? 56 : 28} stroke={1.3} />
      )}
    </span>
  )
}
