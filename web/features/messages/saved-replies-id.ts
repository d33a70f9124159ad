/** The element id of the list that the composer's field controls. */
export const savedRepliesId = 'saved-replies'
