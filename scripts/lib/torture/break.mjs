/** Something that must never be: its message says where, and what. */
export class Break extends Error {}
