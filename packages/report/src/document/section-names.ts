/** Titles of the sections of the specifications, by section number. */
const searchStream: Readonly<Record<string, string>> = {
  "1": "Purpose",
  "2": "Objects of the stream",
  "3": "States",
  "4": "Request",
  "5": "Credentials",
  "6": "Events",
  "7": "Errors",
  "8": "Limits",
  "9": "Versions",
};

const conversationApi: Readonly<Record<string, string>> = {
  "1": "Purpose",
  "2": "Resources",
  "3": "States and steps",
  "4": "Endpoints",
  "5": "Credentials",
  "6": "Following a question",
  "7": "Errors",
  "8": "Limits",
  "9": "From legacy to current",
};

const specifications = {
  "search-stream": { name: "Streaming search", sections: searchStream },
  "conversation-api": { name: "Conversation API", sections: conversationApi },
} as const;

const isSpecification = (specification: string): specification is keyof typeof specifications =>
  Object.hasOwn(specifications, specification);

/** Returns the number of the top section, such as `2` for `2.3`. */
export const getTopSection = (section: string): string => section.split(".")[0] ?? section;

/** Returns the title of a section, or an empty string if it is unknown. */
export const getSectionName = (specification: string, section: string): string => {
  const sections = isSpecification(specification) ? specifications[specification].sections : {};
  const top = getTopSection(section);
  return Object.hasOwn(sections, top) ? (sections[top] ?? "") : "";
};

/** Returns the name of a specification, or its unescaped id if it is unknown. */
export const getSpecificationName = (specification: string): string =>
  isSpecification(specification) ? specifications[specification].name : specification;
