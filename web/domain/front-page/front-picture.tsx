import { renderedImage } from '../../lib/media/public-image.ts'
import classes from './front-picture.module.css'

/** The address of the picture, as it was cropped, for sharp screens in the widest column. */
export const frontPicture = (path: string): string => renderedImage('front-page', path, 1440, 810)

/** The operator's picture, below the words (FIND-06). */
export const FrontPicture = ({ src, alt }: { src: string; alt: string | null }) => (
  <img className={classes.picture} src={src} alt={alt ?? ''} />
)
