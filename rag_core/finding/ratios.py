"""A question about a financial ratio to the lines of the statements that it is computed from. Pure.

A statement says "Total current assets" and never "working capital", and an annual report speaks of margins on twenty
pages and has the figures on one. Whoever asks for a ratio needs the lines, so they are looked for, too. The definitions
are those of any textbook of accounting.
"""

from __future__ import annotations

import re

_LINES: tuple[tuple[str, str], ...] = (
    # margins and earnings
    (r"gross (profit )?margins?", "revenue; net sales; cost of sales; cost of goods sold; gross profit"),
    (r"(operating|EBIT) margins?", "revenue; net sales; operating income"),
    (r"(net|profit|net income|net profit) margins?", "revenue; net sales; net income"),
    (r"EBITDA", "operating income; depreciation and amortization"),
    (r"(?-i:EBIT)|interest coverage", "operating income; interest expense"),
    (r"effective tax rate", "provision for income taxes; income before income taxes"),
    (r"(?-i:EPS)", "net earnings per share, basic and diluted"),
    (r"pay-?out ratio|retention ratio", "dividends paid; net income"),
    (r"dividend yield", "dividends per share"),
    # what capital earns
    (r"return on (total |average )?assets|(?-i:ROA)", "net income; total assets"),
    (r"return on (share|stock)?(holders'? )?equity|(?-i:ROE)", "net income; total shareholders' equity"),
    (
        r"return on (invested )?capital( employed)?|(?-i:ROCE|ROIC)",
        "operating income; total assets; total current liabilities",
    ),
    (r"(?<!fixed )(?<!fixed-)asset turnover", "revenue; net sales; total assets"),
    (r"fixed[- ]asset turnover", "revenue; net sales; property, plant and equipment, net"),
    (
        r"capital[- ]intensive|capital intensity",
        "property, plant and equipment, net; total assets; capital expenditures",
    ),
    # working capital
    (r"working capital", "total current assets; total current liabilities"),
    (r"current ratio|liquidity ratio", "total current assets; total current liabilities"),
    (r"quick ratio|acid[- ]test", "cash and cash equivalents; accounts receivable; total current liabilities"),
    (
        r"inventor(y|ies) turn(s|over)|days? (of )?inventory( outstanding)?|(?-i:DIO)",
        "inventories; cost of sales; cost of goods sold",
    ),
    (r"receivables? turnover|days? sales outstanding|(?-i:DSO)", "accounts receivable; revenue; net sales"),
    (
        r"payables? turnover|days? payables? outstanding|(?-i:DPO)",
        "accounts payable; cost of sales; cost of goods sold",
    ),
    (r"cash conversion cycle|(?-i:CCC)", "inventories; accounts receivable; accounts payable; cost of sales"),
    # debt
    (r"debt[- ]to[- ]equity|capitali[sz]ation ratio|gearing ratio", "long-term debt; total shareholders' equity"),
    (r"leverage ratio|financial leverage|debt ratio", "long-term debt; total liabilities; total assets; total equity"),
    # cash
    (r"free cash ?flow|(?-i:FCF)|cash ?flow conversion", "net cash provided by operating activities"),
    (
        r"free cash ?flow|(?-i:FCF)|cap(ital)? ?ex(penditures?)?",
        "purchases of property, plant and equipment; capital expenditures",
    ),
    # abbreviations of the statements themselves
    (r"COGS", "cost of goods sold; cost of sales"),
    (r"PP&E", "property, plant and equipment"),
    (r"D&A", "depreciation and amortization"),
    (r"SG&A", "selling, general and administrative expenses"),
    (r"R&D", "research and development"),
    (r"P&L", "statement of income; statement of operations"),
)
"""What is asked for, and the lines that tell it. Short abbreviations count in capitals alone: roe is fish."""

_PATTERNS = tuple((re.compile(rf"(?<!\w)(?:{asked})(?!\w)", re.IGNORECASE), said.split("; ")) for asked, said in _LINES)


def lines_of(question: str) -> tuple[str, ...]:
    """The lines that the ratios in the question are computed from, none twice.

    >>> lines_of("What is the current ratio?")
    ('total current assets', 'total current liabilities')
    """
    return tuple(dict.fromkeys(line for pattern, said in _PATTERNS if pattern.search(question) for line in said))


def spelled_out(question: str) -> str:
    """The question, followed by the lines that a ratio in it is computed from; else as it is.

    >>> spelled_out("What is the current ratio?")
    'What is the current ratio? (total current assets; total current liabilities)'
    >>> spelled_out("How much annual leave has grade 3?")
    'How much annual leave has grade 3?'
    """
    lines = lines_of(question)
    return f"{question} ({'; '.join(lines)})" if lines else question
