import classes from './tag.module.css'

/** A word that something is filed under. */
export const Tag = ({ children }: { children: string }) => <span className={classes.tag}>{children}</span>
