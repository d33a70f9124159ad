import classes from './tag.module.css'

/** A category label. */
export const Tag = ({ children }: { children: string }) => <span className={classes.tag}>{children}</span>
